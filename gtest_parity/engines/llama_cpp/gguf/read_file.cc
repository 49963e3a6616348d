#include "gtest_parity/engines/llama_cpp/gguf/read_file.h"

#include <optional>

#include "gtest_parity/engines/llama_cpp/gguf/refuse.h"
#include "gtest_parity/report/files.h"

namespace parity::gguf {

std::string ReadFile(const std::string& path, const std::string& expected) {
  std::optional<std::string> bytes = ReadFileIfThere(path);
  if (!bytes) Refuse(path, "the file", "none", expected);
  return *std::move(bytes);
}

}  // namespace parity::gguf
