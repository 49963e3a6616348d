#include "gtest_parity/engines/llama_cpp/text.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "gtest_parity/engines/llama_cpp/error.h"

namespace parity::llama_cpp {
namespace {

// Up to where no character is cut, as far as the bytes are UTF-8.
std::size_t WholeCharacters(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const std::size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (length > back) return text.size() - back;
    break;
  }
  return text.size();
}

std::int32_t Length(std::size_t length) {
  if (length <= std::numeric_limits<std::int32_t>::max()) return static_cast<std::int32_t>(length);
  throw Invalid("a text or a list of ids that is longer than llama.cpp takes");
}

}  // namespace

std::vector<std::int32_t> Text::Encode(std::string_view text, bool add_special,
                                       bool parse_special) const {
  std::vector<std::int32_t> ids(text.size() + 8);
  const std::string copy(text);
  for (;;) {
    const std::int32_t count =
        llama_tokenize(vocabulary_, copy.data(), Length(copy.size()), ids.data(),
                       Length(ids.size()), add_special, parse_special);
    if (count >= 0) {
      ids.resize(static_cast<std::size_t>(count));
      return ids;
    }
    if (static_cast<std::size_t>(-static_cast<std::int64_t>(count)) <= ids.size()) {
      throw Failed("llama_tokenize returned " + std::to_string(count));
    }
    ids.resize(static_cast<std::size_t>(-static_cast<std::int64_t>(count)));
  }
}

std::string Text::Decode(std::span<const std::int32_t> ids, bool show_special) const {
  const std::int32_t known = llama_vocab_n_tokens(vocabulary_);
  for (const std::int32_t id : ids) {
    if (id >= 0 && id < known) continue;
    throw Invalid("id " + std::to_string(id) + ", expected 0 to " + std::to_string(known - 1));
  }
  std::string text(ids.size() * 8 + 8, '\0');
  for (;;) {
    const std::int32_t size =
        llama_detokenize(vocabulary_, ids.data(), Length(ids.size()), text.data(),
                         Length(text.size()), false, show_special);
    if (size >= 0) {
      text.resize(static_cast<std::size_t>(size));
      return text;
    }
    if (static_cast<std::size_t>(-static_cast<std::int64_t>(size)) <= text.size()) {
      throw Failed("llama_detokenize returned " + std::to_string(size));
    }
    text.resize(static_cast<std::size_t>(-static_cast<std::int64_t>(size)));
  }
}

std::string Text::Stream(std::span<const std::int32_t> ids, bool show_special) {
  streamed_.insert(streamed_.end(), ids.begin(), ids.end());
  const std::string text = Decode(streamed_, show_special);
  const std::size_t end = std::max(told_, ids.empty() ? text.size() : WholeCharacters(text));
  std::string added = text.substr(std::min(told_, text.size()), end - told_);
  told_ = end;
  if (!ids.empty()) return added;
  streamed_.clear();
  told_ = 0;
  return added;
}

std::string Text::SpecialIds() const {
  const std::pair<const char*, llama_token> all[] = {
      {"bos", llama_vocab_bos(vocabulary_)},         {"eos", llama_vocab_eos(vocabulary_)},
      {"eot", llama_vocab_eot(vocabulary_)},         {"sep", llama_vocab_sep(vocabulary_)},
      {"pad", llama_vocab_pad(vocabulary_)},         {"nl", llama_vocab_nl(vocabulary_)},
      {"fim_pre", llama_vocab_fim_pre(vocabulary_)}, {"fim_suf", llama_vocab_fim_suf(vocabulary_)},
      {"fim_mid", llama_vocab_fim_mid(vocabulary_)}};
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [name, id] : all) {
    if (id != LLAMA_TOKEN_NULL) json[name] = id;
  }
  return json.dump();
}

}  // namespace parity::llama_cpp
