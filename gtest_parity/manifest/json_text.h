// What parsers settle silently: keys that a JSON object has twice, and brackets without end.
#ifndef GTEST_PARITY_MANIFEST_JSON_TEXT_H_
#define GTEST_PARITY_MANIFEST_JSON_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parity {

struct DuplicateKey {
  std::string key;       // as the text spells it, escapes included
  std::size_t byte = 0;  // offset of the second one's opening quote
};

// The JSON parser takes a zero byte for the end of its text. No JSON has one, and what comes after
// it was not parsed.
inline bool EndsEarly(std::string_view text) { return text.find('\0') != std::string_view::npos; }

// `text` is valid JSON. One pass: a parser with callbacks takes five times as long.
std::vector<DuplicateKey> FindDuplicateKeys(const std::string& text);

// The offset of the bracket that opens level `deepest` + 1, npos where there is none. `text` is
// valid JSON.
std::size_t FindDeeper(std::string_view text, std::size_t deepest);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_JSON_TEXT_H_
