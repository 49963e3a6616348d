// Text to ids and back, for the model in a folder.
#ifndef GTEST_PARITY_ENGINES_TINY_TOKENS_TOKENIZER_H_
#define GTEST_PARITY_ENGINES_TINY_TOKENS_TOKENIZER_H_

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parity::tiny {

using Ids = std::vector<std::int32_t>;

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  // Bytes that are not UTF-8 are read as U+FFFD, one for each maximal part of a character.
  // `add_special`: behind the model's bos. `parse_special`: text that spells a special token is it.
  virtual Ids Encode(std::string_view text, bool add_special, bool parse_special) = 0;
  // UTF-8; parts of characters become U+FFFD. Throws EngineError (PARITY_INVALID) for an id beyond
  // the vocabulary.
  virtual std::string Decode(std::span<const std::int32_t> ids, bool show_special) = 0;
  // The bytes that these ids stand for, special ones as their text: not always UTF-8. Throws as
  // Decode does.
  virtual std::string Bytes(std::span<const std::int32_t> ids) = 0;
  // What these ids add to the stream so far; the beginning of a character is held back. Without ids
  // the rest, and the stream is over.
  virtual std::string Stream(std::span<const std::int32_t> ids, bool show_special) = 0;
  // {"bos": 0, "eos": 1}: what the model's config.json names.
  virtual nlohmann::json SpecialIds() = 0;
  // As chat_template.jinja has it. Throws EngineError (PARITY_INVALID) unless `messages` is an
  // array of {"role": string, "content": string}.
  virtual Ids Frame(const nlohmann::json& messages) = 0;
};

// Both throw EngineError: PARITY_UNSUPPORTED where the folder has no tokenizer.json, PARITY_FAILED
// where that is no byte-level BPE as this model has it.
std::unique_ptr<Tokenizer> MakeBytePairTokenizer(const std::string& model);
using MakeTokenizer = std::unique_ptr<Tokenizer> (*)(const std::string& model);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_TOKENS_TOKENIZER_H_
