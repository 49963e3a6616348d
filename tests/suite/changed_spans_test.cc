// A kernel swap that says what it is about: everything else is demanded bit for bit.
#include <gtest/gtest.h>

#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

// Too small for the logits to tell, in an op that each of the mutants names.
constexpr char kRoundsAttention[] = R"({"name": "round", "mantissa_bits": 12})";
constexpr char kDriftsBeside[] = R"({"name": "drift", "factor": 1.001})";

SuiteRun RunMutant(const std::string& candidate) {
  return SuiteRun({.manifest = "tests/suite/changed_attention.yaml", .candidate = candidate});
}

TEST(ChangedSpans, MayDifferWhileTheLogitsHold) {
  const SuiteRun run = RunMutant(kRoundsAttention);
  EXPECT_EQ(run.exit_code(), 0) << run.out();
  const CaseResult& changed = run.At("SpanParity/decode_layer2_attention");
  EXPECT_EQ(changed.verdict.span_class, SpanClass::kDifferent);
  EXPECT_EQ(PropertyOf(changed, "demanded"), "");
  EXPECT_NE(PropertyOf(run.At("SpanParity/decode_layer0_gate"), "demanded"), "");
}

TEST(ChangedSpans, LeaveNoOtherRoomToDiffer) {
  const SuiteRun run = RunMutant(kDriftsBeside);
  EXPECT_EQ(run.exit_code(), 1);
  const std::set<std::string> red = {"SpanParity/prefill_layer0_gate",
                                     "SpanParity/decode_layer0_gate"};
  EXPECT_EQ(RedCases(run.cases()), red) << "the logits do not tell it";
}

}  // namespace
}  // namespace parity::testing
