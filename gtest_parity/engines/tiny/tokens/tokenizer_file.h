// The tokenizer.json of a byte-level BPE (Hugging Face's `tokenizers`).
#ifndef GTEST_PARITY_ENGINES_TINY_TOKENS_TOKENIZER_FILE_H_
#define GTEST_PARITY_ENGINES_TINY_TOKENS_TOKENIZER_FILE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace parity::tiny {

// `model`/`name`. Throws EngineError: PARITY_UNSUPPORTED where there is none, PARITY_FAILED where
// it is no JSON.
nlohmann::json ReadModelJson(const std::string& model, const std::string& name);

// Throws EngineError (PARITY_FAILED) that names what is not as these engines implement it: no
// normalizer, the GPT-2 split, no byte fallback, no dropout, no prefix space.
void CheckByteLevelBpe(const nlohmann::json& tokenizer);

// The id of `key` in config.json, -1: none.
std::int32_t SpecialIdOf(const nlohmann::json& config, const std::string& key);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_TOKENS_TOKENIZER_FILE_H_
