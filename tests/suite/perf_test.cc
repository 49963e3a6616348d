// Times of both sides, beside verdicts that do not see them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "gtest_parity/report/files.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kAttention[] = "SpanParity/decode_layer1_attention";

double Number(const CaseResult& result, const std::string& key) {
  const std::string text = PropertyOf(result, "perf." + key);
  return text.empty() ? -1 : std::stod(text);
}

SuiteArguments Arguments(const std::string& mutant = "") {
  return {.manifest = "tests/suite/quick.yaml",
          .ranks = 2,
          .filter = "*decode_layer1_attention:*decode_layer1_gate:*EndToEnd*decode:*Domain*",
          .candidate = mutant};
}

TEST(Perf, ACandidateThatTakesAHundredTimesAsLongPassesWithTheFigureShown) {
  const SuiteRun run(Arguments(R"({"name": "slow"})"));
  EXPECT_EQ(run.exit_code(), 0) << run.out() << run.err();
  const CaseResult& slow = run.At(kAttention);
  EXPECT_EQ(slow.outcome, Outcome::kPass);
  EXPECT_EQ(slow.verdict.span_class, SpanClass::kIdentical);
  EXPECT_GT(Number(slow, "ratio"), 1);
  EXPECT_THAT(ReadFileIfThere(run.folder() + "/junit.xml").value_or(""),
              HasSubstr("perf.ratio="));
}

TEST(Perf, SpansAndProgramsTellBothSides) {
  const SuiteRun run(Arguments());
  ASSERT_EQ(run.exit_code(), 0) << run.out();
  for (const char* name : {kAttention, "SpanParity/decode_layer1_gate", "EndToEnd/decode"}) {
    SCOPED_TRACE(name);
    const CaseResult& result = run.At(name);
    for (const std::string side : {"reference", "candidate"}) {
      EXPECT_GT(Number(result, side + "_us"), 0);
      EXPECT_GT(Number(result, side + "_bytes"), 0);
      EXPECT_GT(Number(result, side + "_gb_per_s"), 0);
      EXPECT_GT(Number(result, side + "_copy_gb_per_s"), 0);
      EXPECT_GE(Number(result, side + "_spread"), 0);
      EXPECT_GE(Number(result, side + "_samples"), Number(result, "runs"));
      EXPECT_TRUE((std::set<double>{0, 1}.contains(Number(result, side + "_rank"))));
    }
    EXPECT_EQ(Number(result, "runs"), 4);  // two scenarios of two decode steps
  }
  EXPECT_EQ(PropertyOf(run.At("Domain/decode_next_token"), "perf.runs"), "");
}

// A matrix of [512 / 2 ranks, 256] bf16 and a row in and out, in four runs of one row.
TEST(Perf, BytesAreThoseThatAreDeclared) {
  const SuiteRun run(Arguments());
  const double weights = 512 / 2 * 256 * 2, row_in = 256 * 4, row_out = 512 / 2 * 4;
  EXPECT_EQ(Number(run.At("SpanParity/decode_layer1_gate"), "candidate_bytes"),
            4 * (weights + row_in + row_out));
}

TEST(Perf, ATableIsPrintedFromWhatARunLeft) {
  const SuiteRun run(Arguments());
  const Finished table = RunProgram({PARITY_COMMAND, "report", "perf", run.folder()});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("part of no verdict"));
  EXPECT_THAT(table.out, HasSubstr("SpanParity/decode_layer1_attention"));
  EXPECT_THAT(table.out, Not(HasSubstr("decode_next_token")));
  const Finished none = RunProgram({PARITY_COMMAND, "report", "perf", "/nonexistent"});
  EXPECT_EQ(none.exit_code, 4);
  EXPECT_THAT(none.err, HasSubstr("/nonexistent: holds no results"));
}

}  // namespace
}  // namespace parity::testing
