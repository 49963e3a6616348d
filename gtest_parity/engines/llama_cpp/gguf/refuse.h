// How this program says no: what, in which file, what was got and what was expected.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_REFUSE_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_REFUSE_H_

#include <string>
#include <utility>

#include "gtest_parity/manifest/diagnostics.h"

namespace parity::gguf {

[[noreturn]] inline void Refuse(const std::string& file, const std::string& what, std::string got,
                                std::string expected) {
  throw InvalidInput({{file, {}, what, std::move(got), std::move(expected)}});
}

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_REFUSE_H_
