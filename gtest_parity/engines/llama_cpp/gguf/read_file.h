// Whole files, or a refusal.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_READ_FILE_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_READ_FILE_H_

#include <string>

namespace parity::gguf {

// Throws InvalidInput if there is no file at `path`, where `expected` was; ReportError if there is
// one that cannot be read.
std::string ReadFile(const std::string& path, const std::string& expected);

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_READ_FILE_H_
