// The name of a KVC record's file: SHA-1 of its text.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_KVC_NAME_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_KVC_NAME_H_

#include <optional>
#include <string>
#include <string_view>

namespace parity::kv {

inline constexpr std::string_view kKvcSuffix = ".kv";

// 40 lower-case hexadecimal digits and ".kv".
std::string KvcFileName(std::string_view text);

// The digits of a name that a scan of a folder takes, in lower case: exactly 43 characters, digits
// of either case, the suffix in lower case. Temporary files are none.
std::optional<std::string> KvcKeyOf(std::string_view file_name);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_KVC_NAME_H_
