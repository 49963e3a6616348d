// Byte-level BPE again, as a port would have it: the split by hand, merges from a queue.
#include "gtest_parity/engines/tiny/ported/tokens/tokenizer.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>

#include "gtest_parity/engines/tiny/error.h"
#include "gtest_parity/engines/tiny/ported/tokens/utf8.h"
#include "gtest_parity/engines/tiny/tokens/tokenizer_file.h"

namespace parity::tiny::ported {
namespace {

using nlohmann::json;

enum class Class { kSpace, kLetter, kNumber, kOther };

Class ClassOf(char32_t character) {
  const auto value = static_cast<UChar32>(character);
  if (u_isUWhiteSpace(value)) return Class::kSpace;
  const std::uint32_t category = U_GET_GC_MASK(value);
  if ((category & U_GC_L_MASK) != 0) return Class::kLetter;
  return (category & U_GC_N_MASK) != 0 ? Class::kNumber : Class::kOther;
}

// Where the word that begins at `at` ends.
class Splitter {
 public:
  explicit Splitter(const std::vector<Character>& characters) : characters_(characters) {
    for (const Character& character : characters) classes_.push_back(ClassOf(character.value));
  }

  std::size_t EndOf(std::size_t at) const {
    if (const std::size_t suffix = Contraction(at); suffix != 0) return at + suffix;
    const std::size_t word = at + (characters_[at].value == U' ' ? 1 : 0);
    if (word < classes_.size() && classes_[word] != Class::kSpace) return RunEnd(word);
    const std::size_t end = RunEnd(at);
    // The last space before a word belongs to the word, or stands alone.
    return end == classes_.size() || end - at == 1 ? end : end - 1;
  }

 private:
  std::size_t RunEnd(std::size_t at) const {
    std::size_t end = at;
    while (end < classes_.size() && classes_[end] == classes_[at]) ++end;
    return end;
  }

  std::size_t Contraction(std::size_t at) const {
    if (characters_[at].value != U'\'') return 0;
    for (const std::u32string_view suffix : {U"s", U"t", U"re", U"ve", U"m", U"ll", U"d"}) {
      std::size_t same = 0;
      while (same < suffix.size() && at + 1 + same < characters_.size() &&
             characters_[at + 1 + same].value == suffix[same]) {
        ++same;
      }
      if (same == suffix.size()) return 1 + same;
    }
    return 0;
  }

  const std::vector<Character>& characters_;
  std::vector<Class> classes_;
};

// The byte that a character of the vocabulary stands for.
std::map<char32_t, unsigned char> ByteTable() {
  std::map<char32_t, unsigned char> table;
  char32_t shifted = 256;
  for (int byte = 0; byte < 256; ++byte) {
    const bool printable = (byte > 32 && byte < 127) || (byte > 160 && byte != 173);
    table[printable ? static_cast<char32_t>(byte) : shifted++] = static_cast<unsigned char>(byte);
  }
  return table;
}

class PortedTokenizer : public Tokenizer {
 public:
  explicit PortedTokenizer(const std::string& model)
      : config_(ReadModelJson(model, "config.json")) {
    const json file = ReadModelJson(model, "tokenizer.json");
    CheckByteLevelBpe(file);
    const std::map<char32_t, unsigned char> byte_of = ByteTable();
    for (const auto& [token, id] : file.at("model").at("vocab").items()) {
      std::string bytes;
      for (const Character& character : Characters(token)) {
        bytes += static_cast<char>(byte_of.at(character.value));
      }
      const auto index = id.get<std::size_t>();
      if (index >= pieces_.size()) pieces_.resize(index + 1);
      pieces_[index] = bytes;
      id_of_[bytes] = static_cast<std::int32_t>(index);
    }
    for (const json& added : file.at("added_tokens")) {
      const auto id = added.at("id").get<std::int32_t>();
      special_[id] = added.at("content").get<std::string>();
      // Bytes that spell a special token are merged from others, never looked up.
      id_of_.erase(special_[id]);
    }
    std::int32_t rank = 0;
    for (const json& merge : file.at("model").at("merges")) {
      const auto bytes = [&](std::size_t side) {
        std::string text;
        for (const Character& character : Characters(merge.at(side).get<std::string>())) {
          text += static_cast<char>(byte_of.at(character.value));
        }
        return text;
      };
      rank_of_.emplace(std::pair(bytes(0), bytes(1)), rank++);
    }
  }

  Ids Encode(std::string_view text, bool add_special, bool parse_special) override {
    Ids ids = Id("bos_token_id", add_special);
    std::size_t plain = 0;
    for (std::size_t at = 0; parse_special && at < text.size(); ++at) {
      for (const auto& [id, spelled] : special_) {
        if (text.substr(at, spelled.size()) != spelled) continue;
        Append(text.substr(plain, at - plain), ids);
        ids.push_back(id);
        plain = at + spelled.size();
        at = plain - 1;
        break;
      }
    }
    Append(text.substr(plain), ids);
    return ids;
  }

  std::string Decode(std::span<const std::int32_t> ids, bool show_special) override {
    std::string bytes;
    for (const std::int32_t id : ids) bytes += Piece(id, show_special);
    return Text(bytes);
  }

  std::string Bytes(std::span<const std::int32_t> ids) override {
    std::string bytes;
    for (const std::int32_t id : ids) bytes += Piece(id, true);
    return bytes;
  }

  std::string Stream(std::span<const std::int32_t> ids, bool show_special) override {
    for (const std::int32_t id : ids) unfinished_ += Piece(id, show_special);
    const std::size_t kept = ids.empty() ? 0 : UnfinishedBytes(unfinished_);
    const std::string text =
        Text(std::string_view(unfinished_).substr(0, unfinished_.size() - kept));
    unfinished_ = unfinished_.substr(unfinished_.size() - kept);
    return text;
  }

  json SpecialIds() override {
    json ids = json::object();
    for (const char* name : {"bos", "eos"}) {
      const std::int32_t id = SpecialIdOf(config_, std::string(name) + "_token_id");
      if (id >= 0) ids[name] = id;
    }
    return ids;
  }

  Ids Frame(const json& messages) override {
    if (!messages.is_array()) throw Invalid("the messages are no array");
    Ids ids = Id("bos_token_id", true);
    for (const json& message : messages) {
      const auto part = [&](const char* key) {
        const auto found = message.find(key);
        if (!message.is_object() || found == message.end() || !found->is_string()) {
          throw Invalid(std::string("a message without a string \"") + key + "\"");
        }
        return found->get<std::string>();
      };
      Append(part("role") + ": " + part("content"), ids);
      for (const std::int32_t id : Id("eos_token_id", true)) ids.push_back(id);
    }
    Append("assistant:", ids);
    return ids;
  }

 private:
  // One symbol of a word; those that were merged into another are empty.
  struct Symbol {
    std::string bytes;
    std::size_t before, after;
  };
  struct Candidate {
    std::int32_t rank;
    std::size_t left;
    std::size_t left_bytes, right_bytes;  // symbols only grow: other sizes are other symbols
    bool operator<(const Candidate& other) const {
      return std::tie(rank, left) > std::tie(other.rank, other.left);
    }
  };

  Ids Id(const char* key, bool wanted) const {
    const std::int32_t id = SpecialIdOf(config_, key);
    return wanted && id >= 0 ? Ids{id} : Ids{};
  }

  std::string Piece(std::int32_t id, bool show_special) const {
    if (id < 0 || static_cast<std::size_t>(id) >= pieces_.size()) {
      throw Invalid("no token " + std::to_string(id) + ", the vocabulary has " +
                    std::to_string(pieces_.size()));
    }
    if (special_.contains(id) && !show_special) return "";
    return pieces_[static_cast<std::size_t>(id)];
  }

  void Append(std::string_view text, Ids& ids) const {
    const std::vector<Character> characters = Characters(text);
    const Splitter splitter(characters);
    for (std::size_t at = 0; at < characters.size();) {
      const std::size_t end = splitter.EndOf(at);
      std::string word;
      for (; at < end; ++at) word += characters[at].bytes;
      AppendWord(word, ids);
    }
  }

  void AppendWord(const std::string& word, Ids& ids) const {
    std::vector<Symbol> symbols;
    for (std::size_t i = 0; i < word.size(); ++i)
      symbols.push_back({word.substr(i, 1), i - 1, i + 1});
    std::priority_queue<Candidate> queue;
    const auto consider = [&](std::size_t left) {
      if (left >= symbols.size() || symbols[left].after >= symbols.size()) return;
      const std::string& first = symbols[left].bytes;
      const std::string& second = symbols[symbols[left].after].bytes;
      const auto found = rank_of_.find(std::pair(first, second));
      if (found != rank_of_.end()) queue.push({found->second, left, first.size(), second.size()});
    };
    for (std::size_t i = 0; i < symbols.size(); ++i) consider(i);
    while (!queue.empty()) {
      const Candidate best = queue.top();
      queue.pop();
      Symbol& left = symbols[best.left];
      if (left.bytes.empty() || left.after >= symbols.size()) continue;
      Symbol& right = symbols[left.after];
      if (left.bytes.size() != best.left_bytes || right.bytes.size() != best.right_bytes) continue;
      left.bytes += right.bytes;
      right.bytes.clear();
      left.after = right.after;
      if (left.after < symbols.size()) symbols[left.after].before = best.left;
      consider(best.left);
      consider(left.before);
    }
    for (const Symbol& symbol : symbols) {
      if (!symbol.bytes.empty()) ids.push_back(id_of_.at(symbol.bytes));
    }
  }

  json config_;
  std::vector<std::string> pieces_;                      // bytes by id
  std::unordered_map<std::string, std::int32_t> id_of_;  // by bytes
  std::map<std::pair<std::string, std::string>, std::int32_t> rank_of_;
  std::map<std::int32_t, std::string> special_;
  std::string unfinished_;
};

}  // namespace

std::unique_ptr<Tokenizer> MakePortedTokenizer(const std::string& model) {
  return std::make_unique<PortedTokenizer>(model);
}

}  // namespace parity::tiny::ported
