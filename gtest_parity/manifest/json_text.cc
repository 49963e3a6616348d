#include "gtest_parity/manifest/json_text.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace parity {
namespace {

// Keys seen in one open object; most have a handful.
class Keys {
 public:
  bool Insert(std::string_view key) {
    constexpr std::size_t kFew = 16;
    if (many_.empty() && few_.size() < kFew) {
      if (std::find(few_.begin(), few_.end(), key) != few_.end()) return false;
      few_.push_back(key);
      return true;
    }
    if (many_.empty()) many_.insert(few_.begin(), few_.end());
    return many_.insert(key).second;
  }

 private:
  std::vector<std::string_view> few_;
  std::unordered_set<std::string_view> many_;
};

std::size_t EndOfString(std::string_view text, std::size_t quote) {
  std::size_t i = quote + 1;
  while (text[i] != '"') i += text[i] == '\\' ? 2 : 1;
  return i;
}

}  // namespace

std::vector<DuplicateKey> FindDuplicateKeys(const std::string& text) {
  std::vector<DuplicateKey> duplicates;
  std::vector<Keys> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') open.emplace_back();
    if (text[i] == '}') open.pop_back();
    if (text[i] != '"') continue;
    const std::size_t quote = i;
    i = EndOfString(text, quote);
    const std::size_t next = text.find_first_not_of(" \t\r\n", i + 1);
    if (next == std::string::npos || text[next] != ':') continue;
    const std::string_view key = std::string_view(text).substr(quote + 1, i - quote - 1);
    if (!open.back().Insert(key)) duplicates.push_back({std::string(key), quote});
  }
  return duplicates;
}

std::size_t FindDeeper(std::string_view text, std::size_t deepest) {
  std::size_t open = 0;
  for (std::size_t i = text.find_first_of("\"[]{}"); i != std::string::npos;
       i = text.find_first_of("\"[]{}", i + 1)) {
    if (text[i] == '"') {
      i = EndOfString(text, i);
    } else if (text[i] == ']' || text[i] == '}') {
      --open;
    } else if (open++ == deepest) {
      return i;
    }
  }
  return std::string_view::npos;
}

}  // namespace parity
