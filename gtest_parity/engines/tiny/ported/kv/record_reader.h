// One record file, opened for reading.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_KV_RECORD_READER_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_KV_RECORD_READER_H_

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/ported/kv/record_header.h"
#include "gtest_parity/engines/tiny/ported/kv/session_payload.h"

namespace parity::tiny::ported {

class RecordReader {
 public:
  // None where there is no such file or it may not be read. Throws Refusal unless it begins as a
  // record does.
  static std::optional<RecordReader> Open(const std::filesystem::path& path);

  const RecordHeader& header() const { return header_; }
  std::uint64_t file_bytes() const { return file_bytes_; }
  bool IsWhole() const { return file_bytes_ >= header_.TrailerAt(); }

  // All throw Refusal.
  std::string Text();
  void CheckIdentity(const std::string& identity, bool required);
  void Payload(const SessionPayload& payload, KvSnapshot& snapshot);

  std::vector<ToolBlock> ToolBlocks();

 private:
  RecordReader(std::ifstream in, std::uint64_t file_bytes, const RecordHeader& header)
      : in_(std::move(in)), file_bytes_(file_bytes), header_(header) {}
  void Seek(std::uint64_t at);

  std::ifstream in_;
  std::uint64_t file_bytes_;
  RecordHeader header_;
};

// The 40 bytes at a record's end.
std::string IdentityFooter(const std::string& identity);

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_KV_RECORD_READER_H_
