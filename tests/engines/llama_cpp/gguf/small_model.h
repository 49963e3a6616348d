// A Hugging Face folder of a Llama of one layer, small enough to know each value.
#ifndef GTEST_PARITY_TESTS_ENGINES_LLAMA_CPP_GGUF_SMALL_MODEL_H_
#define GTEST_PARITY_TESTS_ENGINES_LLAMA_CPP_GGUF_SMALL_MODEL_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/suite/driver/scratch_folder.h"

namespace parity::gguf::testing {

struct SmallTensor {
  std::string dtype;  // as safetensors has it: "F32", ...
  std::vector<std::uint64_t> shape;
  std::string data;
};

// Hidden 32, 2 heads of 8, 1 KV head, feed-forward 32, 6 tokens, tied. Whatever a test changes is
// written by Folder().
struct SmallModel {
  SmallModel();

  nlohmann::json config, tokenizer;
  std::map<std::string, SmallTensor> tensors;  // element i of each is i / 16, f32

  const std::string& Folder() const;
  // What converting it throws, empty if it is converted.
  std::string ConvertError(std::uint32_t type = 0) const;

 private:
  parity::testing::ScratchFolder scratch_;
};

}  // namespace parity::gguf::testing

#endif  // GTEST_PARITY_TESTS_ENGINES_LLAMA_CPP_GGUF_SMALL_MODEL_H_
