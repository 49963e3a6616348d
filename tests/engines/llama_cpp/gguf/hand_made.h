// A GGUF put together by hand, from the format's description.
#ifndef GTEST_PARITY_TESTS_ENGINES_LLAMA_CPP_GGUF_HAND_MADE_H_
#define GTEST_PARITY_TESTS_ENGINES_LLAMA_CPP_GGUF_HAND_MADE_H_

#include <string>

namespace parity::gguf::testing {

// Three keys and three tensors:
//   a   f32, 3 rows of 2: 1 2, 3 4, 5 6
//   b   f16, 4 elements: 1, -2, 0.5, 65504
//   c   q8_0, 2 rows of 32: 0 to 31 times 1, and -1 to -32 times 0.5
std::string HandMade();

// HandMade with `bytes` in the place of as many, `after` bytes behind the end of the first
// `anchor`.
std::string HandMadeWith(const std::string& anchor, std::size_t after, const std::string& bytes);

// What ReadLayout throws at these bytes, empty if it reads them.
std::string LayoutError(const std::string& bytes);

}  // namespace parity::gguf::testing

#endif  // GTEST_PARITY_TESTS_ENGINES_LLAMA_CPP_GGUF_HAND_MADE_H_
