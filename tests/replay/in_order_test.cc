#include "gtest_parity/replay/in_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "gtest_parity/judge/judge.h"
#include "tests/replay/scripted_side.h"
#include "tests/replay/small_plan.h"

namespace parity {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Programs of four ops, of which the second and the third are spans that write a and b [seqs]. Two
// scenarios of three decode runs; in each the second run is recorded.
class InOrderTest : public ::testing::Test {
 protected:
  InOrderTest() : memory_(1, 1), store_(memory_.chunks()[0], true) {
    Description engine = SmallEngine();
    for (const char* name : {"a", "b"}) {
      engine.tensors[name] = {.name = name, .dtype = DType::kF32, .shape = {{"seqs", ""}}};
    }
    engine.programs = {{"decode",
                        false,
                        {{"embed", "embed", {"tokens"}, {}, {}},
                         {"first", "first", {}, {"a"}, {}},
                         {"second", "second", {"a"}, {}, {"b"}},
                         {"last", "last", {"b"}, {}, {}}}}};
    plan_.reference = plan_.candidate = engine;
    plan_.candidate.sequential = true;
    plan_.spans = {MakeSpan("a", 1, Write::kPure), MakeSpan("b", 2, Write::kUpdate)};
    recording_.spans.resize(2);
    for (const char* scenario : {"s0", "s1"}) {
      for (int i = 0; i < 3; ++i) AddRun(scenario, i);
    }
    Keep(1);
    Keep(4);
    pages_.emplace_back(memory_.chunks()[0], false);
    side_.on_message = [this](const Script& script) { Die(script); };
    side_.on_instruction = [](const Instruction& instruction, Result& result) {
      const float zeros[2] = {};
      if (instruction.what == Do::kElements) {
        result.elements = CompareElements(DType::kF32, zeros, zeros, 2);
      }
      if (instruction.what == Do::kBytes) result.bytes.resize(2 * sizeof(float));
    };
    side_.on_instruction = [this, answer = side_.on_instruction](const Instruction& instruction,
                                                                 Result& result) {
      answer(instruction, result);
      const bool recorded = instruction.a.where == Source::Where::kImage;
      if (instruction.what == Do::kRestore && recorded && instruction.tensor.name == not_held_) {
        result.words = "1.1 is not held";
      }
    };
  }

  void Die(const Script& script) {
    for (const Instruction& instruction : script.instructions()) {
      if (instruction.what != Do::kStage || !deadly_.contains(instruction.step->run)) continue;
      throw SideFailure({.cause = Death::Cause::kSignal,
                         .what = "signal SIGSEGV",
                         .ranks = {0},
                         .run = instruction.step->run,
                         .op = deadly_op_});
    }
  }

  static Span MakeSpan(const std::string& tensor, std::uint32_t op, Write write) {
    Span span{.program = "decode", .slug = "decode_" + tensor, .label = tensor};
    span.reference = span.candidate = {op, op + 1};
    span.frontier = {{.name = tensor, .write = write, .compared = true}};
    span.candidate_writes = span.reference_writes = {tensor};
    return span;
  }

  void AddRun(const std::string& scenario, int i) {
    WorkloadRun run;
    run.name = scenario + "/decode#" + std::to_string(i);
    run.scenario = scenario;
    run.program = "decode";
    run.first_of_scenario = i == 0;
    run.last_of_scenario = i == 2;
    run.sequences = {{0, static_cast<std::uint64_t>(i), {5}},
                     {1, static_cast<std::uint64_t>(i), {6}}};
    workload_.runs.push_back(run);
  }

  void Keep(std::size_t run) {
    const std::vector<float> zeros(2);
    for (std::size_t span = 0; span < 2; ++span) {
      KeptTensor tensor;
      tensor.before = tensor.after = *store_.Keep(zeros.data(), 2 * sizeof(float), {});
      tensor.written = tensor.compared = {{0, 2}};
      recording_.spans[span].push_back({run, {{tensor}}});
    }
  }

  InOrderReplay Replay(const ReplayFilter& filter = {}) {
    const ReplayContext context{plan_, workload_, recording_, pages_, filter, std::string()};
    const CandidateSource source = {[this] { return deaths_ < 3 ? &side_ : nullptr; },
                                    [this](const Death&) { ++deaths_; }};
    return ReplayInOrder(context, source, [](const char*, const auto&, auto, auto) {});
  }

  RecordingMemory memory_;
  PageStore store_;
  std::vector<PageStore> pages_;
  Plan plan_;
  Workload workload_;
  Recording recording_;
  ScriptedSide side_;
  std::set<std::string> deadly_;  // runs
  std::string deadly_op_;
  std::string not_held_;  // whose recorded value the candidate's dtype does not hold
  int deaths_ = 0;
};

TEST_F(InOrderTest, SaysWhichPlansNeedIt) {
  EXPECT_TRUE(ReplaysInOrder(plan_));
  EXPECT_FALSE(NeedsEveryRun(plan_));
  EXPECT_THAT(UnavailableChecks(plan_), IsEmpty());
  plan_.candidate.sequential = false;
  plan_.reference.sequential = true;
  EXPECT_FALSE(ReplaysInOrder(plan_));
  plan_.reference.tap_only = true;
  EXPECT_TRUE(ReplaysInOrder(plan_));
  EXPECT_TRUE(NeedsEveryRun(plan_));
  EXPECT_THAT(UnavailableChecks(plan_),
              ElementsAre("the reference's written set", "restored states"));
  plan_.reference.tap_only = false;
  plan_.candidate.tap_only = true;
  EXPECT_THAT(UnavailableChecks(plan_),
              ElementsAre("missing writes", "undefined reads", "outside writes",
                          "the candidate's repeats", "restored states"));
}

TEST_F(InOrderTest, DrivesEachScenarioFromItsStartToItsLastRecordedRun) {
  const InOrderReplay replay = Replay();
  EXPECT_EQ(replay.runs, 4u);
  EXPECT_EQ(replay.scenarios, 2u);
  ASSERT_THAT(side_.messages, SizeIs(4));
  EXPECT_THAT(side_.messages[0], ElementsAre("reset", "stage s0/decode#0", "whole"));
  // Both poisons, the first once more, and on with the reference's result.
  EXPECT_THAT(side_.messages[1],
              ElementsAre("stage s0/decode#1", "run 0 1",  //
                          "poison a", "run 1 2", "hold first 0", "poison a", "run 1 2",
                          "hold second 0", "poison a", "run 1 2", "compare a", "compare a",
                          "compare a", "restore a recorded",  //
                          "restore b recorded", "run 2 3", "hold first 0", "restore b recorded",
                          "run 2 3", "hold second 0", "restore b recorded", "run 2 3", "compare b",
                          "compare b", "compare b", "restore b recorded", "run 3 4"));
  EXPECT_THAT(side_.messages[2], ElementsAre("reset", "stage s1/decode#0", "whole"));
  ASSERT_THAT(replay.spans, SizeIs(2));
  for (const auto& [span, evidence] : replay.spans) {
    EXPECT_EQ(evidence.expected, 2u);
    EXPECT_THAT(evidence.comparisons, SizeIs(2));
    EXPECT_THAT(evidence.recomputed, HasSubstr("s0/decode#1"));
  }
}

TEST_F(InOrderTest, HoldsPreImagesItselfWhereTheReferenceShowsNone) {
  plan_.reference.tap_only = true;
  Replay();
  EXPECT_THAT(side_.messages[1], ::testing::IsSupersetOf({"hold before 0", "restore b before 0",
                                                          "restore b recorded"}));
}

TEST_F(InOrderTest, ComparesAndOverwritesAtTheTapsOfATapOnlyCandidate) {
  plan_.candidate.tap_only = true;
  const InOrderReplay replay = Replay();
  EXPECT_THAT(side_.messages[1], ElementsAre("stage s0/decode#1", "tapped", "tap 1 compare a",
                                             "tap 1 restore a recorded", "tap 2 compare b",
                                             "tap 2 restore b recorded"));
  EXPECT_THAT(replay.spans.at(0).unavailable, ::testing::Contains("missing writes"));
  EXPECT_THAT(replay.spans.at(0).comparisons, SizeIs(2));
}

TEST_F(InOrderTest, WhatNoTapShowsIsMissingFromTheEvidence) {
  plan_.candidate.tap_only = true;
  plan_.candidate.programs[0].ops[1].writes = {};  // it reaches `a` some other way
  const InOrderReplay replay = Replay();
  const SpanEvidence& evidence = replay.spans.at(0);
  EXPECT_EQ(evidence.expected, 2u);
  EXPECT_THAT(evidence.comparisons, IsEmpty());
  EXPECT_EQ(JudgeSpan(evidence, Rules(), std::nullopt).outcome, Outcome::kNotCompared);
  EXPECT_THAT(replay.spans.at(1).comparisons, SizeIs(2));
}

TEST_F(InOrderTest, ADeathIsLaidAtItsSpanAndTheNextScenarioGoesOn) {
  deadly_ = {"s0/decode#1"};
  deadly_op_ = "second";
  const InOrderReplay replay = Replay();
  EXPECT_EQ(deaths_, 1);
  const SpanEvidence& other = replay.spans.at(0);
  EXPECT_FALSE(other.death);
  EXPECT_THAT(other.comparisons, SizeIs(1));
  EXPECT_EQ(other.expected, 2u);
  EXPECT_THAT(other.notes, ElementsAre(HasSubstr("op second, and cannot be brought past it")));
  const SpanEvidence& culprit = replay.spans.at(1);
  ASSERT_TRUE(culprit.death);
  EXPECT_EQ(culprit.death->op, "second");
  EXPECT_THAT(culprit.comparisons, SizeIs(1));
  EXPECT_EQ(replay.scenarios, 2u);
}

TEST_F(InOrderTest, ADeathInNoKnownSpanIsEverySpansThatWasToCome) {
  deadly_ = {"s0/decode#0", "s1/decode#0"};
  const InOrderReplay replay = Replay();
  for (const auto& [span, evidence] : replay.spans) {
    ASSERT_TRUE(evidence.death);
    EXPECT_EQ(evidence.death->run, "s0/decode#0");
    EXPECT_THAT(evidence.comparisons, IsEmpty());
  }
}

// What it then computed says nothing; the other span is restored and compared as ever.
TEST_F(InOrderTest, ASpanThatCannotBePutAsTheReferenceWasIsNotCompared) {
  not_held_ = "b";
  const InOrderReplay replay = Replay();
  EXPECT_THAT(replay.spans.at(0).comparisons, SizeIs(2));
  EXPECT_THAT(replay.spans.at(0).not_restored, IsEmpty());
  const SpanEvidence& evidence = replay.spans.at(1);
  EXPECT_THAT(evidence.comparisons, IsEmpty());
  ASSERT_THAT(evidence.not_restored, SizeIs(2));
  EXPECT_EQ(evidence.not_restored[0].tensor, "b");
  EXPECT_EQ(evidence.not_restored[0].run, "s0/decode#1");
  const Verdict verdict = JudgeSpan(evidence, Rules(), std::nullopt);
  EXPECT_EQ(verdict.outcome, Outcome::kNotCompared);
  EXPECT_THAT(verdict.summary, HasSubstr("1.1 is not held"));
}

// States that grow from the reference's values alone are not its own behind a value that did not
// fit, until the next scenario begins.
TEST_F(InOrderTest, NothingIsComparedBehindAResultThatDoesNotFitWhereStatesGrow) {
  plan_.reference.tap_only = true;
  Keep(2);
  not_held_ = "a";
  side_.on_message = [this](const Script& script) {
    for (const Instruction& instruction : script.instructions()) {
      if (instruction.what == Do::kStage && instruction.step->run == "s0/decode#2") not_held_ = "";
    }
  };
  const InOrderReplay replay = Replay();
  for (const auto& [span, evidence] : replay.spans) {
    ASSERT_THAT(evidence.not_restored, SizeIs(2));
    EXPECT_EQ(evidence.not_restored[1].run, "s0/decode#2");
    ASSERT_THAT(evidence.comparisons, SizeIs(1));
    EXPECT_EQ(evidence.comparisons[0].run, "s1/decode#1");
  }
}

TEST_F(InOrderTest, ACandidateThatDiedTooOftenIsNotAskedAgain) {
  deaths_ = 3;
  const InOrderReplay replay = Replay();
  EXPECT_THAT(side_.messages, IsEmpty());
  EXPECT_EQ(replay.spans.at(0).expected, 2u);
  EXPECT_THAT(replay.spans.at(0).comparisons, IsEmpty());
}

TEST_F(InOrderTest, ComparesTheRunsThatAreAskedForAndStillDrivesTheOthers) {
  ReplayFilter filter;
  filter.run = "s1";
  const InOrderReplay replay = Replay(filter);
  EXPECT_EQ(replay.runs, 4u);
  EXPECT_EQ(replay.spans.at(0).expected, 1u);
  ASSERT_THAT(replay.spans.at(0).comparisons, SizeIs(1));
  EXPECT_EQ(replay.spans.at(0).comparisons[0].run, "s1/decode#1");
}

}  // namespace
}  // namespace parity
