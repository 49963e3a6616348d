// A record in a file.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_FILE_BYTES_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_FILE_BYTES_H_

#include <memory>
#include <string>

#include "gtest_parity/device/file_descriptor.h"
#include "suites/kv/formats/record_bytes.h"

namespace parity::kv {

class FileBytes : public RecordBytes {
 public:
  // Null, with the reason in `why`, where there is no regular file that can be read.
  static std::unique_ptr<FileBytes> Open(const std::string& path, std::string* why);

  // As it was when the file was opened.
  std::uint64_t size() const override { return size_; }

 private:
  FileBytes(FileDescriptor file, std::uint64_t size) : file_(std::move(file)), size_(size) {}
  ReadResult ReadInside(std::uint64_t offset, std::span<std::uint8_t> out) override;

  FileDescriptor file_;
  std::uint64_t size_;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_FILE_BYTES_H_
