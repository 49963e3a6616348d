#include "gtest_parity/replay/probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/replay/scripted_side.h"
#include "tests/replay/small_plan.h"

namespace parity {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Three spans of one op each, which write h [rows, 4], x [rows, 4] and logits [rows, 4].
class ProberTest : public ::testing::Test {
 protected:
  ProberTest() {
    Description engine = SmallEngine();
    for (const char* name : {"h", "x", "logits"}) {
      engine.tensors[name] = {
          .name = name, .dtype = DType::kF32, .shape = {{"rows", ""}, {"4", ""}}};
    }
    engine.tensors["logits"].role = Role::kLogits;
    engine.programs.clear();
    for (const char* program : {"prefill", "decode"}) {
      engine.programs.push_back({program,
                                 false,
                                 {{"embed", "embed", {"tokens"}, {"h"}, {}},
                                  {"norm", "norm", {"h"}, {"x"}, {}},
                                  {"head", "head", {"x"}, {"logits"}, {}}}});
      std::uint32_t op = 0;
      for (const char* name : {"h", "x", "logits"}) {
        Span span{.program = program, .slug = std::string(program) + "_" + name, .label = name};
        span.reference = span.candidate = {op, op + 1};
        span.frontier = {{.name = name, .write = Write::kPure, .compared = true}};
        plan_.spans.push_back(span);
        ++op;
      }
    }
    plan_.reference = plan_.candidate = engine;
    plan_.candidate.tap_only = true;
    workload_.runs.push_back({.name = "b1/prefill#0",
                              .scenario = "b1",
                              .program = "prefill",
                              .first_of_scenario = true,
                              .last_of_scenario = true,
                              .kept = "first",
                              .sequences = {{0, 0, {5, 99, 7}}}});
  }

  Prober Asking() { return Prober(plan_, workload_, true, side_); }

  static void Differ(Result& result) {
    result.elements.different = 1;
    result.elements.max_abs = 1;
  }

  Plan plan_;
  Workload workload_;
  ScriptedSide side_;
};

TEST_F(ProberTest, NeutralityLooksAtEveryCutAndOverwritesNothing) {
  const ProbeEvidence evidence = Asking().ObserverNeutrality();
  EXPECT_EQ(evidence.check, "observer neutrality");
  ASSERT_THAT(side_.messages, SizeIs(4));  // the base, two repeats, the taps
  EXPECT_THAT(side_.messages[0],
              ElementsAre("reset", "stage probe/prefill", "whole", "hold probe 0 logits",
                          "stage probe/decode", "whole", "hold probe 1 logits"));
  EXPECT_THAT(side_.messages[3],
              ElementsAre("reset", "stage probe/prefill", "tapped", "tap 0 hold tapped",
                          "tap 1 hold tapped", "tap 2 hold tapped", "compare logits",
                          "stage probe/decode", "tapped", "tap 0 hold tapped", "tap 1 hold tapped",
                          "tap 2 hold tapped", "compare logits"));
  EXPECT_THAT(evidence.alike, Each(Field(&ProbeComparison::what, "with 6 taps on")));
  EXPECT_THAT(evidence.repeats, SizeIs(4));
  EXPECT_EQ(evidence.runs, 8u);
  EXPECT_THAT(evidence.found, IsEmpty());
}

TEST_F(ProberTest, NeutralityNamesTheCutThatMovesResults) {
  bool looked = false;
  side_.on_instruction = [&](const Instruction& instruction, Result& result) {
    if (instruction.what == Do::kReset) looked = false;
    looked |= instruction.tap == 1u && instruction.tensor.name == "x";
    if (instruction.what == Do::kElements && looked) Differ(result);
  };
  EXPECT_THAT(Asking().ObserverNeutrality().found,
              ElementsAre("observer neutrality: results move as soon as somebody looks at x at norm "
                          "of prefill"));
}

TEST_F(ProberTest, WriteBackOverwritesEachCutAlone) {
  const ProbeEvidence evidence = Asking().WriteBack();
  ASSERT_THAT(side_.messages, SizeIs(10));
  EXPECT_THAT(side_.messages[3],
              ::testing::IsSupersetOf(
                  {"tap 0 hold tapped", "tap 0 restore h tapped", "tap 2 restore logits tapped"}));
  EXPECT_THAT(side_.messages[5],
              ElementsAre("reset", "stage probe/prefill", "tapped", "tap 1 poison x",
                          "compare logits", "stage probe/decode", "whole", "compare logits"));
  ASSERT_THAT(evidence.effects, SizeIs(6));
  EXPECT_EQ(evidence.effects[1].what, "overwrote x at norm of prefill");
  EXPECT_THAT(evidence.effects[1].results, SizeIs(2));
}

TEST_F(ProberTest, CausalityLooksAtEarlierRowsAndOtherSequences) {
  std::vector<std::vector<std::int32_t>> tokens;
  std::vector<ElementRanges> looked;
  side_.on_instruction = [&](const Instruction& instruction, Result&) {
    if (instruction.what == Do::kStage) tokens.push_back(instruction.step->tokens);
    if (instruction.what == Do::kElements) looked.push_back(*instruction.ranges);
  };
  const ProbeEvidence evidence = Asking().Causality();
  EXPECT_THAT(side_.messages, SizeIs(3 + 7 + 2));
  // After the base and its repeats: row 1 of the first sequence, whose token was the last one.
  EXPECT_THAT(tokens[6], ElementsAre(6, 99, 7, 5, 99, 7, 5));
  EXPECT_THAT(tokens[8], ElementsAre(5, 0, 7, 5, 99, 7, 5));
  // Base repeats: two looks each. Row 0: no earlier one, the other sequence's three.
  EXPECT_EQ(looked[4], (ElementRanges{{16, 4}, {20, 4}, {24, 4}}));
  EXPECT_EQ(looked[5], (ElementRanges{{0, 4}}));                             // its own
  EXPECT_EQ(looked[6], (ElementRanges{{4, 4}}));                             // decode: the other's
  EXPECT_EQ(looked[7], (ElementRanges{{0, 4}, {16, 4}, {20, 4}, {24, 4}}));  // row 1
  EXPECT_THAT(evidence.effects, SizeIs(9));
  EXPECT_THAT(evidence.effects, Each(Field(&ProbeEffect::results, SizeIs(1))));
}

TEST_F(ProberTest, NoiseAsksForMoreRepeats) {
  side_.on_instruction = [&](const Instruction& instruction, Result& result) {
    if (instruction.what == Do::kElements) Differ(result);
  };
  const ProbeEvidence evidence = Asking().ObserverNeutrality();
  EXPECT_THAT(evidence.repeats, SizeIs(2 * (2 + 8)));
  EXPECT_THAT(evidence.found, IsEmpty());  // halving would follow the noise
}

TEST_F(ProberTest, ADeathIsPartOfTheEvidence) {
  side_.on_message = [](const Script&) { throw SideFailure({.what = "signal SIGSEGV"}); };
  for (const ProbeEvidence& evidence :
       {Asking().ObserverNeutrality(), Asking().WriteBack(), Asking().Causality()}) {
    ASSERT_TRUE(evidence.death);
    EXPECT_EQ(evidence.death->what, "signal SIGSEGV");
  }
}

}  // namespace
}  // namespace parity
