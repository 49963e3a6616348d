// docs/wire_rules.md is the table of rules, written from it.
#include <gtest/gtest.h>

#include "suites/wire/rules/rule.h"
#include "tests/golden_file.h"

namespace parity::wire {
namespace {

std::string SurfacesOf(const Rule& rule) {
  if (rule.surfaces == kAll) return "all";
  if (rule.surfaces == (kAll & ~kMessagesOnly)) return "all but messages";
  std::string text;
  for (const std::string& name : SurfaceNames()) {
    Surface surface = Surface::kOther;
    ParseName(name, &surface);
    if ((rule.surfaces & Bit(surface)) != 0) text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

TEST(WireRulesPage, ListsEveryRule) {
  std::string page =
      "# The rules of the wire\n\n"
      "What [transcripts](wire.md) are held to. `core`: what breaks it breaks clients; `profile`: "
      "it "
      "counts where the reference keeps it; `strict`: only reported.\n\n"
      "| rule | layer | surfaces | needs | what must hold |\n|---|---|---|---|---|\n";
  for (const Rule& rule : AllRules()) {
    page += "| `" + std::string(rule.id) + "` | " + std::string(NameOf(rule.layer)) + " | " +
            SurfacesOf(rule) + " | " + std::string(rule.needs) + " | " + std::string(rule.words) +
            " |\n";
  }
  page +=
      "| `profile.keys`, `profile.types`, `profile.values`, `profile.path` | profile | all | | "
      "keys, "
      "types, values of a few and steps of streams are those of the reference's answers |\n"
      "| `equal.exchange` | profile | all | | both sides have the exchange |\n";
  EXPECT_TRUE(parity::testing::MatchesGoldenFile(PARITY_SOURCE_DIR "/docs/wire_rules.md", page));
}

}  // namespace
}  // namespace parity::wire
