// Characters out of bytes.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_TOKENS_UTF8_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_TOKENS_UTF8_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parity::tiny::ported {

struct Character {
  char32_t value = 0;
  std::string bytes;  // UTF-8
};

// Every maximal part of a character that is not whole becomes U+FFFD (Unicode 15, 3.9, table 3-8).
std::vector<Character> Characters(std::string_view bytes);

// The length of an unfinished character at the end, which more bytes could finish; 0: none.
std::size_t UnfinishedBytes(std::string_view bytes);

// Bytes as UTF-8 text.
std::string Text(std::string_view bytes);

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_TOKENS_UTF8_H_
