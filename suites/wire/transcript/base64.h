// Bytes that are no text, in files that are.
#ifndef GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_BASE64_H_
#define GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_BASE64_H_

#include <optional>
#include <string>
#include <string_view>

namespace parity::wire {

std::string Base64(std::string_view bytes);

// Nothing where `text` is not base64 with its padding.
std::optional<std::string> FromBase64(std::string_view text);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_BASE64_H_
