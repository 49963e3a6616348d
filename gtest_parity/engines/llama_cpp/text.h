// Text and ids, by the vocabulary of the model.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_TEXT_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_TEXT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "llama.h"

namespace parity::llama_cpp {

class Text {
 public:
  explicit Text(const llama_vocab* vocabulary) : vocabulary_(vocabulary) {}

  std::vector<std::int32_t> Encode(std::string_view text, bool add_special,
                                   bool parse_special) const;
  std::string Decode(std::span<const std::int32_t> ids, bool show_special) const;
  // What these ids add to those before them, up to where a character may still be incomplete. No
  // ids: the rest, and the stream is over.
  std::string Stream(std::span<const std::int32_t> ids, bool show_special);
  // A JSON object: names to ids.
  std::string SpecialIds() const;

 private:
  const llama_vocab* vocabulary_;
  std::vector<std::int32_t> streamed_;
  std::size_t told_ = 0;  // bytes of their text
};

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_TEXT_H_
