// Byte-level BPE: the GPT-2 split by a regular expression, the lowest merge first until none is
// left.
#include <unicode/regex.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "gtest_parity/engines/tiny/error.h"
#include "gtest_parity/engines/tiny/tokens/tokenizer.h"
#include "gtest_parity/engines/tiny/tokens/tokenizer_file.h"

namespace parity::tiny {
namespace {

using nlohmann::json;

// pre_tokenizers/byte_level.rs of Hugging Face's `tokenizers`. \s there is White_Space, which ICU's
// \s is not.
constexpr char kSplit[] =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\p{White_Space}\\p{L}\\p{N}]+|"
    "\\p{White_Space}+(?![^\\p{White_Space}])|\\p{White_Space}+";

// bytes_to_unicode of GPT-2: printable Latin-1 stands for itself, the other bytes for U+0100 on.
std::array<char32_t, 256> CharacterOfByte() {
  std::array<char32_t, 256> characters{};
  char32_t next = 0x100;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool itself = (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte != 0xad);
    characters[byte] = itself ? byte : next++;
  }
  return characters;
}

void AppendUtf8(std::string& text, UChar32 character) {
  std::array<std::uint8_t, U8_MAX_LENGTH> bytes{};
  int length = 0;
  U8_APPEND_UNSAFE(bytes.data(), length, character);
  text.append(bytes.begin(), bytes.begin() + length);
}

std::string Lossy(std::string_view bytes) {
  std::string text;
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  for (std::size_t at = 0; at < bytes.size();) {
    UChar32 character = 0;
    U8_NEXT_OR_FFFD(data, at, bytes.size(), character);
    AppendUtf8(text, character);
  }
  return text;
}

// How many bytes are behind which nothing can change what they say: all but the beginning of a
// character.
std::size_t SettledBytes(std::string_view bytes) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t end = bytes.size();
  U8_TRUNCATE_IF_INCOMPLETE(data, std::size_t{0}, end);
  return end;
}

class BytePairTokenizer : public Tokenizer {
 public:
  explicit BytePairTokenizer(const std::string& model) {
    const json config = ReadModelJson(model, "config.json");
    bos_ = SpecialIdOf(config, "bos_token_id");
    eos_ = SpecialIdOf(config, "eos_token_id");
    const json file = ReadModelJson(model, "tokenizer.json");
    CheckByteLevelBpe(file);
    ReadVocabulary(file);
    UErrorCode status = U_ZERO_ERROR;
    split_.reset(icu::RegexPattern::compile(kSplit, 0, status));
    if (U_FAILURE(status)) throw Failed(std::string("the split's pattern: ") + u_errorName(status));
  }

  Ids Encode(std::string_view text, bool add_special, bool parse_special) override {
    Ids ids;
    if (add_special && bos_ >= 0) ids.push_back(bos_);
    while (parse_special) {
      const auto [at, special] = NextSpecial(text);
      if (at == std::string_view::npos) break;
      EncodePlain(text.substr(0, at), ids);
      ids.push_back(special->second);
      text.remove_prefix(at + special->first.size());
    }
    EncodePlain(text, ids);
    return ids;
  }

  std::string Decode(std::span<const std::int32_t> ids, bool show_special) override {
    return Lossy(BytesOf(ids, show_special));
  }

  std::string Bytes(std::span<const std::int32_t> ids) override { return BytesOf(ids, true); }

  std::string Stream(std::span<const std::int32_t> ids, bool show_special) override {
    held_ += BytesOf(ids, show_special);
    const std::size_t settled = ids.empty() ? held_.size() : SettledBytes(held_);
    const std::string text = Lossy(std::string_view(held_).substr(0, settled));
    held_.erase(0, settled);
    return text;
  }

  json SpecialIds() override {
    json ids = json::object();
    if (bos_ >= 0) ids["bos"] = bos_;
    if (eos_ >= 0) ids["eos"] = eos_;
    return ids;
  }

  Ids Frame(const json& messages) override {
    if (!messages.is_array()) throw Invalid("messages: expected an array");
    Ids ids;
    if (bos_ >= 0) ids.push_back(bos_);
    for (const json& message : messages) {
      if (!message.is_object() || !message.value("role", json()).is_string() ||
          !message.value("content", json()).is_string()) {
        throw Invalid("messages: expected objects with strings \"role\" and \"content\"");
      }
      const std::string text =
          message["role"].get<std::string>() + ": " + message["content"].get<std::string>();
      EncodePlain(text, ids);
      if (eos_ >= 0) ids.push_back(eos_);
    }
    EncodePlain("assistant:", ids);
    return ids;
  }

 private:
  using Pair = std::pair<std::int32_t, std::int32_t>;
  struct Merge {
    std::size_t rank;
    std::int32_t id;
  };

  void ReadVocabulary(const json& file) {
    std::unordered_map<std::string, std::int32_t> vocabulary;
    file.at("model").at("vocab").get_to(vocabulary);
    const std::array<char32_t, 256> characters = CharacterOfByte();
    std::map<char32_t, char> byte_of;
    for (unsigned byte = 0; byte < 256; ++byte) {
      byte_of[characters[byte]] = static_cast<char>(byte);
      std::string text;
      AppendUtf8(text, static_cast<UChar32>(characters[byte]));
      id_of_byte_[byte] = vocabulary.at(text);
    }
    bytes_.resize(vocabulary.size());
    for (const auto& [text, id] : vocabulary) {
      std::string& bytes = bytes_.at(static_cast<std::size_t>(id));
      const icu::UnicodeString characters_of_token = icu::UnicodeString::fromUTF8(text);
      for (std::int32_t i = 0; i < characters_of_token.length(); ++i) {
        bytes += byte_of.at(characters_of_token[i]);
      }
    }
    for (const json& token : file.at("added_tokens")) {
      special_[token.at("content").get<std::string>()] = token.at("id").get<std::int32_t>();
    }
    for (const json& merge : file.at("model").at("merges")) {
      const auto left = merge.at(0).get<std::string>(), right = merge.at(1).get<std::string>();
      const std::size_t rank = merges_.size();
      merges_[{vocabulary.at(left), vocabulary.at(right)}] = {rank, vocabulary.at(left + right)};
    }
  }

  std::pair<std::size_t, std::map<std::string, std::int32_t>::const_iterator> NextSpecial(
      std::string_view text) const {
    std::size_t first = std::string_view::npos;
    auto found = special_.end();
    for (auto special = special_.begin(); special != special_.end(); ++special) {
      const std::size_t at = text.find(special->first);
      if (at < first) std::tie(first, found) = std::pair(at, special);
    }
    return {first, found};
  }

  void EncodePlain(std::string_view text, Ids& ids) const {
    const icu::UnicodeString read = icu::UnicodeString::fromUTF8(
        icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<icu::RegexMatcher> matcher(split_->matcher(read, status));
    while (matcher->find(status)) {
      std::string word;
      matcher->group(status).toUTF8String(word);
      EncodeWord(word, ids);
    }
    if (U_FAILURE(status)) throw Failed(std::string("splitting a text: ") + u_errorName(status));
  }

  void EncodeWord(const std::string& word, Ids& ids) const {
    Ids parts;
    for (const char byte : word) parts.push_back(id_of_byte_[static_cast<unsigned char>(byte)]);
    for (;;) {
      auto best = merges_.end();
      std::size_t at = 0;
      for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        const auto merge = merges_.find({parts[i], parts[i + 1]});
        if (merge == merges_.end()) continue;
        if (best != merges_.end() && merge->second.rank >= best->second.rank) continue;
        best = merge;
        at = i;
      }
      if (best == merges_.end()) break;
      parts[at] = best->second.id;
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
    ids.insert(ids.end(), parts.begin(), parts.end());
  }

  std::string BytesOf(std::span<const std::int32_t> ids, bool show_special) const {
    std::string bytes;
    for (const std::int32_t id : ids) {
      if (id < 0 || static_cast<std::size_t>(id) >= bytes_.size()) {
        throw Invalid("id " + std::to_string(id) + ", expected 0 to " +
                      std::to_string(bytes_.size() - 1));
      }
      bool special = false;
      for (const auto& [text, special_id] : special_) special |= special_id == id;
      if (show_special || !special) bytes += bytes_[static_cast<std::size_t>(id)];
    }
    return bytes;
  }

  std::int32_t bos_ = -1, eos_ = -1;
  std::array<std::int32_t, 256> id_of_byte_{};
  std::vector<std::string> bytes_;               // by id
  std::map<std::string, std::int32_t> special_;  // by text
  std::map<Pair, Merge> merges_;
  std::unique_ptr<icu::RegexPattern> split_;
  std::string held_;  // the stream's beginning of a character
};

}  // namespace

std::unique_ptr<Tokenizer> MakeBytePairTokenizer(const std::string& model) {
  return std::make_unique<BytePairTokenizer>(model);
}

}  // namespace parity::tiny
