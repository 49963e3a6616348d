#include "gtest_parity/judge/number_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace parity {
namespace {

template <typename... Format>
std::string ToChars(double value, Format... format) {
  if (std::isnan(value)) return "nan";  // to_chars would tell the sign of a NaN
  std::array<char, 512> text;           // the largest double has 309 digits before its point
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value, format...);
  return {text.data(), result.ptr};
}

}  // namespace

std::string NumberText(double value) { return ToChars(value); }

std::string ShortText(double value) { return ToChars(value, std::chars_format::general, 4); }

std::string FixedText(double value, int decimals) {
  return ToChars(value, std::chars_format::fixed, decimals);
}

}  // namespace parity
