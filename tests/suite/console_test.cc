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

// A wrong draft, beyond the margin in its span and end to end; and a wrong route that cannot be
// taken back, with what comes after it.
TEST(Console, TellsDecisionsThatDiffer) {
  const SuiteRun wrong({.manifest = "manifests/tiny/routed_vs_reordered.yaml",
                        .filter = "*EndToEnd*/speculate:*_draft1",
                        .candidate = R"({"name": "wrong_choice"})"});
  EXPECT_TRUE(MatchesGolden("decision_beyond.txt", Normalised(wrong.out(), wrong.folder())));
  const SuiteRun unforced({.manifest = "tests/selfproof/routed_vs_reordered_margin.yaml",
                           .filter = "*EndToEnd*/decode",
                           .candidate = R"({"name": "wrong_choice", "label": "layer1.route", )"
                                        R"("run": "b2_page_edge/decode#3"})"});
  const std::string text = Normalised(unforced.out(), unforced.folder());
  // Behind the ties: how much differs in the last bits, which is the machine's affair.
  const std::size_t begin = text.find("INCONCLUSIVE"), end = text.find("\n  decode,");
  ASSERT_NE(end, std::string::npos) << text;
  EXPECT_TRUE(MatchesGolden("decision_unforced.txt", text.substr(begin, end + 1 - begin)));
}

TEST(Console, SaysWhatTapOnlyEnginesDoNotLetAnybodyCheck) {
  const SuiteRun run(
      {.manifest = "manifests/tiny/paged_vs_streamed.yaml", .candidate = R"({"name": "drift"})"});
  const std::string text = Normalised(run.out(), run.folder());
  EXPECT_TRUE(MatchesGolden("tap_only.txt", text.substr(text.find("\nsuite  ") + 1)));
}

}  // namespace
}  // namespace parity::testing
