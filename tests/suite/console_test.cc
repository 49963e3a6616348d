// What a user reads on the console, compared as a whole.
#include <gtest/gtest.h>

#include "tests/suite/driver/golden.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

TEST(Console, TellsOneFailingCaseCompletely) {
  SuiteArguments arguments = {.manifest = "tests/suite/quick.yaml",
                              .ranks = 2,
                              .filter = "*decode_layer0_gate",
                              .candidate = R"({"name": "drift", "rank": 1})"};
  const SuiteRun run(arguments);
  EXPECT_TRUE(MatchesGolden("failing_case.txt", Normalised(run.out(), run.folder())));
  EXPECT_EQ(run.err(), "");
}

TEST(Console, EndsWithTheMatrixOfTheRun) {
  const SuiteRun run({.manifest = "tests/suite/quick.yaml", .candidate = R"({"name": "drift"})"});
  const std::string text = Normalised(run.out(), run.folder());
  EXPECT_TRUE(MatchesGolden("matrix.txt", text.substr(text.find("\nsuite  ") + 1)));
}

TEST(Console, SaysWhatTapOnlyEnginesDoNotLetAnybodyCheck) {
  const SuiteRun run({.manifest = "manifests/tiny/paged_vs_streamed.yaml",
                      .candidate = R"({"name": "drift"})"});
  const std::string text = Normalised(run.out(), run.folder());
  EXPECT_TRUE(MatchesGolden("tap_only.txt", text.substr(text.find("\nsuite  ") + 1)));
}

}  // namespace
}  // namespace parity::testing
