// Files that are written whole or not at all.
#ifndef GTEST_PARITY_REPORT_FILES_H_
#define GTEST_PARITY_REPORT_FILES_H_

#include <optional>
#include <string>
#include <string_view>

#include "gtest_parity/device/file_descriptor.h"

namespace parity {

// Throws ReportError naming `path` and the system's reason.
[[noreturn]] void ThrowSystemError(const std::string& what, const std::string& path);

// Writes all of `text`, unbuffered. Throws ReportError (disk full, ...); `path` is for the message.
void WriteAll(const FileDescriptor& file, std::string_view text, const std::string& path);

// Replaces `path` by `text` through a temporary file in the same folder, so that a reader sees the
// old text or the new. Throws ReportError and leaves the old text if that fails.
void WriteFileAtomically(const std::string& path, std::string_view text);

// The whole file, or nullopt if there is none. Throws ReportError if there is one but it cannot be
// read.
std::optional<std::string> ReadFileIfThere(const std::string& path);

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_FILES_H_
