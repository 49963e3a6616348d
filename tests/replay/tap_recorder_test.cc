#include "gtest_parity/replay/tap_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/replay/scripted_side.h"
#include "tests/replay/small_plan.h"

namespace parity {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// One span, op 1 of two, that writes h [rows]; one scenario of two runs.
class TapRecorderTest : public ::testing::Test {
 protected:
  TapRecorderTest() {
    Description engine = SmallEngine();
    engine.tap_only = true;
    engine.tensors["h"] = {.name = "h", .dtype = DType::kF32, .shape = {{"rows", ""}}};
    engine.programs = {{"decode",
                        false,
                        {{"embed", "embed", {"tokens"}, {}, {}}, {"norm", "norm", {}, {"h"}, {}}}}};
    plan_.reference = plan_.candidate = engine;
    Span span{.program = "decode", .slug = "decode_norm", .label = "norm"};
    span.reference = span.candidate = {1, 2};
    span.frontier = {{.name = "h", .write = Write::kPure, .compared = true}};
    plan_.spans = {span};
    for (const std::uint64_t i : {0, 1}) {
      workload_.runs.push_back({.name = "b1/decode#" + std::to_string(i),
                                .scenario = "b1",
                                .program = "decode",
                                .first_of_scenario = i == 0,
                                .last_of_scenario = i == 1,
                                .kept = "tap-only",
                                .sequences = {{0, i, {5}}, {1, i, {6}}}});
    }
    request_.spans = {true};
  }

  Recording Record() {
    Recording recording;
    recording.spans.resize(plan_.spans.size());
    recording.runs.resize(workload_.runs.size());
    recording.bytes.resize(1);
    recording.spilled.resize(1);
    RecordTaps(
        plan_, workload_, request_, side_, [](const char*, const auto&, auto, auto) {}, recording);
    return recording;
  }

  SpreadKey Key() const { return {0, "decode", "decode_norm", "h", {2}}; }

  Plan plan_;
  Workload workload_;
  RecordRequest request_;
  ScriptedSide side_;
};

TEST_F(TapRecorderTest, KeepsValuesAtTheirCutsAndRepeatsThemForced) {
  side_.on_instruction = [](const Instruction& instruction, Result& result) {
    if (instruction.what == Do::kKeep) result.image.bytes = 8;
    if (instruction.what == Do::kKeep) result.count = 65536;
  };
  const Recording recording = Record();
  ASSERT_THAT(side_.messages, SizeIs(6));
  EXPECT_THAT(side_.messages[0],
              ElementsAre("reset", "stage b1/decode#0", "tapped", "tap 1 keep h"));
  EXPECT_THAT(side_.messages[1], ElementsAre("stage b1/decode#1", "tapped", "tap 1 keep h"));
  EXPECT_THAT(side_.messages[2], ElementsAre("reset", "stage b1/decode#0", "tapped",
                                             "tap 1 compare h", "tap 1 restore h recorded"));
  ASSERT_THAT(recording.spans[0], SizeIs(2));
  const KeptTensor& kept = recording.spans[0][1].ranks[0][0];
  EXPECT_EQ(kept.after.bytes, 8u);
  EXPECT_EQ(kept.before.bytes, 0u);
  EXPECT_EQ(kept.compared, (ElementRanges{{0, 2}}));
  EXPECT_TRUE(recording.spreads.Find(Key()).exact);
  EXPECT_EQ(recording.spreads.Find(Key()).pairs, 4u);
  EXPECT_EQ(recording.bytes[0], 65536u);
}

TEST_F(TapRecorderTest, NoiseAsksForMoreRepeatsAndIsPooled) {
  side_.on_instruction = [](const Instruction& instruction, Result& result) {
    if (instruction.what != Do::kElements) return;
    result.elements.different = 1;
    result.elements.max_abs = 0.25;
    result.elements.sum_dd = 0.0625;
    result.elements.sum_aa = 1;
  };
  const Recording recording = Record();
  EXPECT_FALSE(recording.spreads.Find(Key()).exact);
  EXPECT_EQ(recording.spreads.Find(Key()).pairs, 2u * (2 + 8));
  EXPECT_EQ(recording.spreads.Find(Key()).max_abs, 0.25);
}

TEST_F(TapRecorderTest, DrivesRunsOfOtherProgramsOnTheWay) {
  for (Description* side : {&plan_.reference, &plan_.candidate}) {
    side->programs.push_back(side->programs[0]);
    side->programs[1].name = "prefill";
  }
  workload_.runs[0].program = "prefill";
  Record();
  EXPECT_THAT(side_.messages[2], ElementsAre("reset", "stage b1/decode#0", "whole"));
  EXPECT_THAT(side_.messages[3], ElementsAre("stage b1/decode#1", "tapped", "tap 1 compare h",
                                             "tap 1 restore h recorded"));
}

TEST_F(TapRecorderTest, StopsKeepingWhenTheBudgetIsSpentAndSaysSo) {
  int kept = 0;
  side_.on_instruction = [&](const Instruction& instruction, Result& result) {
    if (instruction.what == Do::kKeep) result.exhausted = ++kept == 2;
  };
  const Recording recording = Record();
  EXPECT_THAT(recording.spans[0], SizeIs(1));
  EXPECT_THAT(recording.not_kept,
              ElementsAre(HasSubstr("b1/decode#1 and later runs: the memory budget")));
}

// A value that was not kept cannot be forced: behind it spans would not see the reference's.
TEST_F(TapRecorderTest, KeepsARunWholeOrNotAtAll) {
  for (Description* side : {&plan_.reference, &plan_.candidate}) {
    side->tensors["g"] = {.name = "g", .dtype = DType::kF32, .shape = {{"rows", ""}}};
    side->programs[0].ops[0].writes = {"g"};
  }
  Span first = plan_.spans[0];
  first.slug = "decode_embed";
  first.reference = first.candidate = {0, 1};
  first.frontier[0].name = "g";
  plan_.spans.insert(plan_.spans.begin(), first);
  request_.spans = {true, true};
  side_.on_instruction = [&](const Instruction& instruction, Result& result) {
    result.exhausted = instruction.what == Do::kKeep && instruction.tensor.name == "g";
  };
  const Recording recording = Record();
  EXPECT_THAT(recording.spans[0], IsEmpty());
  EXPECT_THAT(recording.spans[1], IsEmpty());
  EXPECT_THAT(recording.not_kept, ElementsAre(HasSubstr("b1/decode#0 and later runs")));
}

TEST_F(TapRecorderTest, CountsWhatIsSpilled) {
  plan_.manifest.memory_budget_bytes = kPageBytes;
  side_.on_instruction = [](const Instruction& instruction, Result& result) {
    if (instruction.what != Do::kKeep) return;
    result.image = {8, {FirstSpilledPage(kPageBytes)}};
    result.seconds = 0.5;
  };
  const Recording recording = Record();
  EXPECT_EQ(recording.spilled[0].bytes, 8u);
  EXPECT_EQ(recording.spilled[0].seconds, 0.5) << "the same page again costs nothing";
}

TEST_F(TapRecorderTest, RunsWholeWhatNoSpanNeeds) {
  request_.spans = {false};
  const Recording recording = Record();
  EXPECT_THAT(side_.messages, ElementsAre(ElementsAre("reset", "stage b1/decode#0", "whole"),
                                          ElementsAre("stage b1/decode#1", "whole")));
  EXPECT_THAT(recording.spans[0], IsEmpty());
}

}  // namespace
}  // namespace parity
