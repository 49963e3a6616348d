#include "gtest_parity/report/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "gtest_parity/report/error.h"

namespace parity {

void ThrowSystemError(const std::string& what, const std::string& path) {
  const std::string reason = std::generic_category().message(errno);
  throw ReportError("cannot " + what + " '" + path + "': " + reason);
}

void WriteAll(const FileDescriptor& file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) ThrowSystemError("write", path);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void WriteFileAtomically(const std::string& path, std::string_view text) {
  const std::string temporary = path + ".tmp." + std::to_string(::getpid());
  try {
    const FileDescriptor file(
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.get() < 0) ThrowSystemError("create", temporary);
    WriteAll(file, text, temporary);
    // Without it a machine that stops may keep the new name and lose the text.
    if (::fsync(file.get()) != 0) ThrowSystemError("write", temporary);
    if (std::rename(temporary.c_str(), path.c_str()) != 0) ThrowSystemError("replace", path);
  } catch (const ReportError&) {
    ::unlink(temporary.c_str());
    throw;
  }
}

std::optional<std::string> ReadFileIfThere(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    ThrowSystemError("open", path);
  }
  std::string text;
  std::array<char, 1 << 16> block;
  while (true) {
    const ssize_t got = ::read(file.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) ThrowSystemError("read", path);
    if (got == 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace parity
