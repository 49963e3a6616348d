#include "gtest_parity/replay/replayer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/replay/small_plan.h"

namespace parity {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// Answers every comparison with `claimed` and every request for bytes with `bytes`.
class ClaimingSide : public Side {
 public:
  ClaimingSide(ElementStats claimed, std::vector<float> bytes)
      : claimed_(claimed), bytes_(std::move(bytes)) {}

  std::vector<Results> Run(const std::vector<Script>& scripts) override {
    std::vector<Results> results;
    for (const Script& script : scripts) {
      for (Results& rank = results.emplace_back();
           const Instruction& instruction : script.instructions()) {
        Result& result = rank.emplace_back();
        if (instruction.what == Do::kElements) result.elements = claimed_;
        if (instruction.what == Do::kRestore) result.words = not_restored_;
        if (instruction.what == Do::kDomain) {
          result.outside = outside_;
          domains_.push_back(*instruction.domain);
        }
        if (instruction.what != Do::kBytes) continue;
        result.bytes.resize(bytes_.size() * sizeof(float));
        std::memcpy(result.bytes.data(), bytes_.data(), result.bytes.size());
      }
    }
    return results;
  }
  bool alive() const override { return true; }
  bool is_evidence() const override { return false; }
  std::string provenance() const override { return "claims"; }
  std::vector<std::string> MappedObjects() const override { return {}; }
  std::string OutputTail() const override { return ""; }
  void set_not_restored(std::string words) { not_restored_ = std::move(words); }
  void set_outside(OutsideRange outside) { outside_ = outside; }
  const std::vector<ValueRange>& domains() const { return domains_; }  // that were asked

 private:
  OutsideRange outside_;
  std::vector<ValueRange> domains_;
  std::string not_restored_;
  ElementStats claimed_;
  std::vector<float> bytes_;
};

// One span that writes h [rows], recorded in one decode run as {1, 2}.
class ReplayerTest : public ::testing::Test {
 protected:
  ReplayerTest() : memory_(1, 1), store_(memory_.chunks()[0], true) {
    Description engine = SmallEngine();
    engine.tensors["h"] = {.name = "h", .dtype = DType::kF32, .shape = {{"rows", ""}}};
    plan_.reference = plan_.candidate = engine;
    Span span{.program = "decode", .slug = "decode_embed", .label = "embed"};
    span.reference = span.candidate = {0, 1};
    span.frontier = {{.name = "h", .write = Write::kPure, .compared = true}};
    plan_.spans = {span};
    workload_.runs.push_back({.name = "b2/decode#0",
                              .scenario = "b2",
                              .program = "decode",
                              .first_of_scenario = true,
                              .last_of_scenario = true,
                              .kept = "first",
                              .sequences = {{0, 0, {5}}, {1, 0, {6}}}});
    KeptTensor h;
    h.after = *store_.Keep(kReference.data(), kReference.size() * sizeof(float), {});
    h.written = h.compared = {{0, 2}};
    recording_.spans = {{{0, {{h}}}}};
    pages_.emplace_back(memory_.chunks()[0], false);
  }

  SpanEvidence Replay(ElementStats claimed, std::vector<float> bytes) {
    ClaimingSide side(claimed, std::move(bytes));
    return ReplaySpan(Context(ReplayFilter()), 0, side);
  }

  ReplayContext Context(const ReplayFilter& filter) const {
    return {plan_, workload_, recording_, pages_, filter, std::string()};
  }

  static ElementStats Compared(const std::vector<float>& candidate) {
    return CompareElements(DType::kF32, kReference.data(), candidate.data(), kReference.size());
  }

  inline static const std::vector<float> kReference = {1, 2};
  RecordingMemory memory_;
  PageStore store_;
  std::vector<PageStore> pages_;
  Plan plan_;
  Workload workload_;
  Recording recording_;
};

TEST_F(ReplayerTest, FiguresThatTheBytesBearOutAreTaken) {
  for (const std::vector<float>& candidate : {std::vector<float>{1, 2}, {1, 2.5}}) {
    const SpanEvidence evidence = Replay(Compared(candidate), candidate);
    ASSERT_EQ(evidence.comparisons.size(), 1u);
    EXPECT_EQ(evidence.expected, 1u);
    EXPECT_EQ(evidence.comparisons[0].stats, Compared(candidate));
    EXPECT_THAT(evidence.recomputed, HasSubstr("h of b2/decode#0 on rank 0"));
  }
}

TEST_F(ReplayerTest, FiguresThatTheBytesDenyAreTheHarnessErrors) {
  EXPECT_THAT(
      [&] {
        Replay(Compared({1, 2}), {1, 2.5});
      },
      ThrowsMessage<std::runtime_error>(
          HasSubstr("decode_embed, b2/decode#0, rank 0, h: computed again from the bytes")));
  EXPECT_THROW(Replay(Compared({1, 2.5}), {1, 2}), std::runtime_error);
  EXPECT_THROW(Replay(Compared({1, 2}), {1}), std::runtime_error);
}

// A candidate that declares a wider domain, or none, is held to the reference's.
TEST_F(ReplayerTest, ValuesAreHeldToTheReferencesDomain) {
  plan_.reference.tensors["h"].domain = ValueRange{0, 2};
  for (const std::optional<ValueRange>& own :
       {std::optional<ValueRange>(), std::optional(ValueRange{0, 9})}) {
    plan_.candidate.tensors["h"].domain = own;
    ClaimingSide side(Compared({1, 5}), {1, 5});
    side.set_outside({.count = 1, .first_index = 1, .first_value = 5});
    const SpanEvidence evidence = ReplaySpan(Context(ReplayFilter()), 0, side);
    ASSERT_EQ(evidence.comparisons.size(), 1u);
    EXPECT_EQ(evidence.comparisons[0].domain.count, 1u);
    EXPECT_EQ(evidence.comparisons[0].domain.max, 2);
    ASSERT_EQ(side.domains().size(), 1u);
    EXPECT_EQ(side.domains()[0].max, 2);
  }
}

// What the candidate's dtype does not hold was not put there: what it then computed says nothing.
TEST_F(ReplayerTest, WhatCannotBeRestoredIsNotCompared) {
  FrontierTensor& h = plan_.spans[0].frontier[0];
  h.restored = true;
  h.write = Write::kUpdate;
  recording_.spans[0][0].ranks[0][0].before = recording_.spans[0][0].ranks[0][0].after;
  ClaimingSide side(Compared({1, 2}), {1, 2});
  side.set_not_restored("h[1] is 1.1, which bf16 does not hold");
  const SpanEvidence evidence = ReplaySpan(Context(ReplayFilter()), 0, side);
  EXPECT_TRUE(evidence.comparisons.empty());
  EXPECT_EQ(evidence.expected, 1u);
  ASSERT_EQ(evidence.not_restored.size(), 1u);
  EXPECT_EQ(evidence.not_restored[0].tensor, "h");
  EXPECT_EQ(evidence.not_restored[0].run, "b2/decode#0");
  EXPECT_EQ(evidence.not_restored[0].why, "h[1] is 1.1, which bf16 does not hold");
  EXPECT_EQ(evidence.recomputed, "");
}

TEST_F(ReplayerTest, RunsAndRanksThatTheFilterLeavesOutAreNotExpected) {
  ClaimingSide side(Compared({1, 2}), {1, 2});
  ReplayFilter other_run, other_rank;
  other_run.run = "b9";
  other_rank.rank = 1;
  EXPECT_EQ(ReplaySpan(Context(other_run), 0, side).expected, 0u);
  EXPECT_TRUE(ReplaySpan(Context(other_rank), 0, side).comparisons.empty());
}

}  // namespace
}  // namespace parity
