// Bad input gets a clear error and an exit status that no one takes for a result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/suite/driver/manifest_text.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Refused {
  const char* name;
  std::string manifest;
  std::vector<std::string> more;
  std::vector<std::string> words;
  std::uint32_t ranks = 1;
};

void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.name; }

std::string Good() { return ManifestText(Paged(), Ported()); }

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no " + from + " in\n" + text);
  return text.replace(at, from.size(), to);
}

std::vector<Refused> RefusedInputs() {
  SideText other_ranks = Ported();
  other_ranks.more = ", ranks: {count: 2}";
  const std::string no_library = Replaced(Good(), "parity_tiny_ported", "parity_tiny_reported");
  return {
      {"NotYaml", "a: [1\nb", {}, {"m.yaml:2:1: not YAML"}},
      {"NotAManifest", "just text\n", {}, {"m.yaml:1:1", "expected a mapping"}},
      {"UnknownKey",
       Replaced(Good(), "workload", "workloda"),
       {},
       {"m.yaml:5:1: unknown key: got \"workloda\", expected \"workload\""}},
      {"NoSuchLibrary", no_library, {}, {"m.yaml:4:", "candidate.library: not found"}},
      {"NoSuchDescription",
       Replaced(Good(), "ported.f32.json", "ported.f31.json"),
       {},
       {"m.yaml:4:", "candidate.description", "ported.f31.json"}},
      {"NoSuchPrompts",
       Replaced(Good(), "prompts.jsonl", "promtps.jsonl"),
       {},
       {"m.yaml:5:", "promtps.jsonl"}},
      {"MoreRanksThanHeads", Good(), {}, {"at ranks 4: got 2/4"}, 4},
      {"NoRanks", Good(), {}, {"ranks", "got 0, expected at least 1"}, 0},
      {"DifferingRankCounts",
       ManifestText(Paged(), other_ranks),
       {},
       {"m.yaml:4:", "unknown key in candidate: got \"ranks\""}},
      {"ConfigThatIsNoJson",
       Good(),
       {"--parity_candidate_config={\"a\":"},
       {"--parity_candidate_config", "expected a JSON object"}},
      {"ConfigWithAPathThatIsNotThere",
       Good(),
       {R"(--parity_candidate_config={"model": {"path": "no_such_model"}})"},
       {"--parity_candidate_config at /model/path: no such file: /", "/no_such_model"}},
  };
}

class RefusedTest : public ::testing::TestWithParam<Refused> {};

TEST_P(RefusedTest, Exits2AndSaysWhatWhereAndWhatWasExpected) {
  const ScratchFolder folder;
  SuiteArguments arguments{.manifest = folder.Write("m.yaml", GetParam().manifest),
                           .ranks = GetParam().ranks};
  arguments.more = GetParam().more;
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 2) << run.err();
  for (const std::string& words : GetParam().words) EXPECT_THAT(run.err(), HasSubstr(words));
  EXPECT_EQ(run.out(), "");
}

INSTANTIATE_TEST_SUITE_P(inputs, RefusedTest, ::testing::ValuesIn(RefusedInputs()),
                         [](const auto& info) { return info.param.name; });

TEST(RefusedInput, AMissingManifest) {
  const SuiteRun run({.manifest = "/nonexistent/m.yaml"});
  EXPECT_EQ(run.exit_code(), 2);
  EXPECT_THAT(run.err(), HasSubstr("/nonexistent/m.yaml: cannot be read"));
}

TEST(RefusedInput, AnOutputFolderThatCannotBeMade) {
  const ScratchFolder folder;
  const std::string file = folder.Write("file", "");
  SuiteArguments arguments{.manifest = "tests/suite/quick.yaml", .reports = false};
  arguments.more = {"--parity_output=" + file + "/below"};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 4);
  EXPECT_THAT(run.err(), AllOf(HasSubstr("output folder"), HasSubstr(file + "/below")));
}

TEST(RefusedInput, ADiskThatIsFull) {
  const ScratchFolder folder;
  std::filesystem::create_symlink("/dev/full", folder.Path("cases.jsonl"));
  SuiteArguments arguments{
      .manifest = "tests/suite/quick.yaml", .filter = "*decode_layer0_gate", .reports = false};
  arguments.more = {"--parity_output=" + folder.path()};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 4);
  EXPECT_THAT(run.err(), AllOf(HasSubstr("cannot write"), HasSubstr("/cases.jsonl"),
                               HasSubstr("No space left on device")));
}

}  // namespace
}  // namespace parity::testing
