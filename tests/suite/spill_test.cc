// Recordings that their memory budget has no room for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/suite/driver/manifest_text.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class SpillTest : public ::testing::Test {
 protected:
  SpillTest() { std::filesystem::create_directory(folder_.Path("spill")); }

  // Spans and an end, under a budget of memory and more, as YAML.
  SuiteRun Run(const std::string& memory, const std::string& mutant = R"({"name": "drift"})",
               const std::string& filter = "*layer0_*:*EndToEnd*") {
    const std::string name = "m" + std::to_string(++manifests_) + ".yaml";
    return SuiteRun({.manifest = folder_.Write(name, ManifestText(Paged(), Ported(), memory)),
                     .filter = filter,
                     .candidate = mutant});
  }
  std::string Spill(const std::string& budget) const {
    return "memory_budget: 64 KiB\nspill: {folder: spill, budget: " + budget + "}\n";
  }
  // Outcome, numbers and words of every case but those on what was recorded.
  static std::map<std::string, std::string> Told(const SuiteRun& run) {
    std::map<std::string, std::string> told;
    for (const CaseResult& result : run.cases()) {
      std::string text = std::string(NameOf(result.outcome)) + " " + result.verdict.summary;
      for (const std::string& finding : result.verdict.findings) text += "\n" + finding;
      for (const auto& [key, value] : result.verdict.properties) {
        if (!key.starts_with("perf.") && key != "provenance") text += "\n" + key + " " + value;
      }
      told[ShortName(result)] = text;
    }
    return told;
  }

  ScratchFolder folder_;
  int manifests_ = 0;
};

TEST_F(SpillTest, EvidenceIsThatOfARecordingInMemory) {
  const SuiteRun spilled = Run(Spill("64 MiB")), whole = Run("");
  EXPECT_EQ(spilled.exit_code(), 1) << spilled.out() << spilled.err();
  ASSERT_THAT(whole.cases(), Not(IsEmpty()));
  EXPECT_EQ(Told(spilled), Told(whole));
  EXPECT_THAT(spilled.out(), AllOf(HasSubstr("note: rank 0 spilled "),
                                   HasSubstr(" KiB to " + folder_.Path("spill") +
                                             ", beyond the memory budget: written in ")));
  EXPECT_THAT(whole.out(), Not(HasSubstr("spilled")));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.Path("spill")));
}

TEST_F(SpillTest, WithoutOneWhatDoesNotFitIsListed) {
  const SuiteRun run = Run("memory_budget: 64 KiB\n", "", "*decode_layer*");
  EXPECT_THAT(run.out(),
              HasSubstr(" and later runs: the memory budget of 64 KiB per rank is spent, "
                        "and no `spill` is declared"));
  const SuiteRun both = Run(Spill("64 KiB"), "", "*decode_layer*");
  EXPECT_THAT(both.out(), HasSubstr("is spent, and `spill` of 64 KiB with it"));
}

TEST_F(SpillTest, LogitsThatDoNotFitAreAnError) {
  const SuiteRun run = Run("memory_budget: 64 KiB\n");
  EXPECT_EQ(run.exit_code(), 4);
  EXPECT_THAT(run.At("EndToEnd/decode").verdict.summary,
              HasSubstr("raise `memory_budget`, or declare `spill`"));
}

TEST_F(SpillTest, FolderThatCannotBeSpilledToIsAnError) {
  const SuiteRun run = Run("spill: {folder: none, budget: 1 MiB}\n");
  EXPECT_EQ(run.exit_code(), 4);
  EXPECT_THAT(run.cases().at(0).verdict.summary,
              HasSubstr("an unnamed file to spill to in " + folder_.path() + "/none"));
}

}  // namespace
}  // namespace parity::testing
