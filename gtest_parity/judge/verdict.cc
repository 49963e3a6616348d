#include "gtest_parity/judge/verdict.h"

namespace parity {

void SetProperty(Verdict& verdict, std::string_view key, std::string value) {
  for (auto& [name, text] : verdict.properties) {
    if (name == key) {
      text = std::move(value);
      return;
    }
  }
  verdict.properties.emplace_back(key, std::move(value));
}

void SetPlace(Verdict& verdict, const Death& death) {
  if (!death.ranks.empty()) SetProperty(verdict, "rank", std::to_string(death.ranks.front()));
  if (!death.run.empty()) SetProperty(verdict, "run", death.run);
}

const std::string* FindProperty(const Verdict& verdict, std::string_view key) {
  for (const auto& [name, text] : verdict.properties) {
    if (name == key) return &text;
  }
  return nullptr;
}

}  // namespace parity
