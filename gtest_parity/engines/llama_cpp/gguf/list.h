// What a GGUF holds, for people.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_LIST_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_LIST_H_

#include <string>

#include "gtest_parity/engines/llama_cpp/gguf/gguf_file.h"

namespace parity::gguf {

// A line that counts, one for each key and one for each tensor, in columns.
std::string ListText(const Layout& layout);

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_LIST_H_
