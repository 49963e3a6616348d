#include "gtest_parity/manifest/placeholders.h"

#include <algorithm>

namespace parity {
namespace {

constexpr std::string_view kNameLetters = "abcdefghijklmnopqrstuvwxyz_";

bool HasName(std::string_view word, std::string_view name) {
  const std::vector<Placeholder> all = PlaceholdersIn(word);
  return std::any_of(all.begin(), all.end(),
                     [&](const Placeholder& one) { return one.name == name; });
}

}  // namespace

const std::vector<std::string>& PlaceholderNames() {
  static const std::vector<std::string> names = {"port",      "config", "config_file",
                                                 "kv_folder", "ranks",  "library"};
  return names;
}

std::vector<Placeholder> PlaceholdersIn(std::string_view word) {
  std::vector<Placeholder> all;
  for (std::size_t at = 0; (at = word.find('{', at)) != std::string_view::npos; ++at) {
    const std::size_t end = word.find_first_of("{}", at + 1);
    if (end == std::string_view::npos || word[end] != '}') continue;
    const std::string_view inside = word.substr(at + 1, end - at - 1);
    const std::size_t colon = inside.find(':');
    const std::string_view name = inside.substr(0, colon);
    if (name.empty() || name.find_first_not_of(kNameLetters) != std::string_view::npos) continue;
    const std::string_view argument =
        colon == std::string_view::npos ? std::string_view() : inside.substr(colon + 1);
    all.push_back({at, end + 1, std::string(name), std::string(argument)});
  }
  return all;
}

std::string FillPlaceholders(std::string_view word,
                             const std::function<std::string(const Placeholder&)>& fill) {
  std::string filled;
  std::size_t at = 0;
  for (const Placeholder& one : PlaceholdersIn(word)) {
    filled += word.substr(at, one.begin - at);
    filled += fill(one);
    at = one.end;
  }
  return filled + std::string(word.substr(at));
}

bool Uses(const ServerDeclaration& server, std::string_view name) {
  return std::any_of(server.command.begin(), server.command.end(),
                     [&](const std::string& word) { return HasName(word, name); }) ||
         std::any_of(server.environment.begin(), server.environment.end(), [&](const auto& entry) {
           return entry.second && HasName(*entry.second, name);
         });
}

}  // namespace parity
