#include "suites/kv/formats/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace parity::kv {

std::unique_ptr<FileBytes> FileBytes::Open(const std::string& path, std::string* why) {
  // Without O_NONBLOCK a pipe in the store's folder would hold the reader up for ever.
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status = {};
  if (!file.valid() || fstat(file.get(), &status) != 0) {
    *why = path + ": " + std::generic_category().message(errno) + ", expected a readable file";
    return nullptr;
  }
  if (!S_ISREG(status.st_mode)) {
    *why = path + ": not a regular file, expected one";
    return nullptr;
  }
  return std::unique_ptr<FileBytes>(
      new FileBytes(std::move(file), static_cast<std::uint64_t>(status.st_size)));
}

ReadResult FileBytes::ReadInside(std::uint64_t offset, std::span<std::uint8_t> out) {
  while (!out.empty()) {
    const ssize_t got = pread(file_.get(), out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ReadResult::kFailed;
    if (got == 0) return ReadResult::kPastEnd;
    offset += static_cast<std::uint64_t>(got);
    out = out.subspan(static_cast<std::size_t>(got));
  }
  return ReadResult::kOk;
}

}  // namespace parity::kv
