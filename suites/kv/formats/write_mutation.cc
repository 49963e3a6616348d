#include "suites/kv/formats/write_mutation.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "gtest_parity/device/file_descriptor.h"

namespace parity::kv {
namespace {

[[noreturn]] void Fail(const std::string& path) {
  throw std::system_error(errno, std::generic_category(), path);
}

void WriteAt(const FileDescriptor& file, std::uint64_t offset, std::span<const std::uint8_t> bytes,
             const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t done = pwrite(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) Fail(path);
    offset += static_cast<std::uint64_t>(done);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
}

bool IsZero(std::span<const std::uint8_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

std::string WriteMutation(const Mutation& mutation, RecordBytes* bytes, const std::string& folder) {
  const std::string path = folder + "/" + mutation.file_name;
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.valid()) Fail(path);
  std::uint64_t at = 0;
  const std::uint64_t kept = std::min(bytes->size(), mutation.size);
  const ReadResult result = bytes->Stream({0, kept}, [&](std::span<const std::uint8_t> piece) {
    if (!IsZero(piece)) WriteAt(file, at, piece, path);
    at += piece.size();
  });
  if (result != ReadResult::kOk) {
    throw std::system_error(EIO, std::generic_category(),
                            "the record that " + path + " is made of");
  }
  for (const Overwrite& write : mutation.overwrites) {
    WriteAt(file, write.offset, write.bytes, path);
  }
  if (ftruncate(file.get(), static_cast<off_t>(mutation.size)) != 0) Fail(path);
  return path;
}

}  // namespace parity::kv
