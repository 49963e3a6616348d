// Which of the known names somebody has meant.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_NEAREST_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_NEAREST_H_

#include <cstddef>
#include <string>
#include <vector>

namespace parity::llama_cpp {

// The names that take the fewest edits, nearest first and in their order among equals.
std::vector<std::string> Nearest(const std::string& name, std::vector<std::string> known,
                                 std::size_t count);

// "a, b, c"
std::string Joined(const std::vector<std::string>& names);

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_NEAREST_H_
