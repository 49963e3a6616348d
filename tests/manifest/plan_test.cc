#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/manifest/small_descriptions.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Small Paged() {
  Small small("paged");
  small.Buffers("h x q k v o").Buffers("block_table tokens", Role::kInput);
  small.Buffers("weights", Role::kConstant).Buffers("logits", Role::kLogits);
  small.States("layer0.k layer0.v");
  small.Run("prefill", R"(
    embed embed: tokens weights -> h
    rms_norm layer0.norm: h -> x
    linear layer0.q: x weights -> q
    linear layer0.k: x weights -> k
    linear layer0.v: x weights -> v
    rope layer0.rope: -> ~ q k
    kv_append layer0.append: k v block_table -> ~ layer0.k layer0.v
    attention layer0.attention: q layer0.k layer0.v block_table -> o
    linear layer0.o: o weights -> x
    add layer0.add: x -> ~ h
    linear head: h weights -> logits
  )");
  return small;
}

Small Fused() {
  Small small("fused");
  small.Buffers("h x q o").Buffers("block_table tokens", Role::kInput);
  small.Buffers("weights", Role::kConstant).Buffers("logits", Role::kLogits);
  small.States("layer0.k layer0.v");
  small.Run("prefill", R"(
    embed embed: tokens weights -> h
    rms_norm layer0.norm: h -> x
    qkv_rope_append layer0.qkv: x weights block_table -> q ~ layer0.k layer0.v
    attention layer0.attention: q layer0.k layer0.v block_table -> o
    linear layer0.o: o weights -> x
    add layer0.add: x -> ~ h
    linear head: h weights -> logits
  )");
  return small;
}

TEST(Plan, FiveOpsAgainstOneAreOneSpan) {
  const Plan plan = PlanOf(Paged(), Fused());
  ASSERT_EQ(plan.spans.size(), 1u);
  const Span& span = plan.spans[0];
  EXPECT_EQ(span.slug, "prefill_layer0_q_to_append");
  EXPECT_EQ(span.label, "layer0.q .. layer0.append");
  EXPECT_EQ(span.reference, (OpRange{2, 7}));
  EXPECT_EQ(span.candidate, (OpRange{2, 3}));
  EXPECT_THAT(Compared(span), ElementsAre("q", "layer0.k", "layer0.v"));
  EXPECT_THAT(span.grown_over, IsEmpty());
  EXPECT_THAT(span.not_compared, IsEmpty());
  EXPECT_EQ(Find(span, "q")->write, Write::kPure);
  EXPECT_FALSE(Find(span, "q")->restored);
  EXPECT_EQ(Find(span, "layer0.k")->write, Write::kUpdate);
  EXPECT_TRUE(Find(span, "layer0.k")->restored);
  EXPECT_EQ(Find(span, "layer0.k")->kind, Kind::kState);
  EXPECT_TRUE(Find(span, "x")->restored);
  EXPECT_EQ(Find(span, "x")->write, Write::kNone);
  EXPECT_TRUE(Find(span, "block_table")->restored);
  EXPECT_EQ(Find(span, "weights"), nullptr) << "constants are each side's own";
  EXPECT_EQ(Find(span, "k"), nullptr) << "private and dead after the span";
  EXPECT_THAT(span.reference_writes, ElementsAre("k", "layer0.k", "layer0.v", "q", "v"));
  EXPECT_THAT(span.candidate_writes, ElementsAre("layer0.k", "layer0.v", "q"));
  EXPECT_TRUE(plan.programs[0].changed);
  EXPECT_FALSE(plan.unchanged);
}

TEST(Plan, AStretchIsCutWhereTheSidesCorrespond) {
  Small fused = Fused();
  Description candidate = fused;
  candidate.programs[0].ops[3].op = "online_attention";
  const Plan plan = PlanOf(Paged(), candidate);
  ASSERT_EQ(plan.spans.size(), 2u);
  EXPECT_EQ(plan.spans[0].slug, "prefill_layer0_q_to_append");
  EXPECT_EQ(plan.spans[1].slug, "prefill_layer0_attention");
  EXPECT_THAT(Compared(plan.spans[1]), ElementsAre("o"));
  EXPECT_TRUE(Find(plan.spans[1], "layer0.k")->restored);
}

TEST(Plan, ARebuiltEngineHasAsManySpansAsOps) {
  Plan plan;
  plan.reference = Paged();
  plan.candidate = Paged();
  PlanSpans(Implementation({}, "one build"), Implementation({}, "another build"), &plan);
  EXPECT_EQ(plan.spans.size(), 11u);
  EXPECT_EQ(plan.spans[3].slug, "prefill_layer0_k");
  EXPECT_TRUE(plan.programs[0].changed);
  EXPECT_FALSE(plan.unchanged);
}

TEST(Plan, TheSameOnBothSidesHasNoSpans) {
  const Plan plan = PlanOf(Paged(), Paged());
  EXPECT_THAT(plan.spans, IsEmpty());
  EXPECT_FALSE(plan.programs[0].changed);
  EXPECT_TRUE(plan.unchanged);
  EXPECT_THAT(plan.programs[0].logits, ElementsAre("logits"));
  EXPECT_THAT(plan.programs[0].states, ElementsAre("layer0.k", "layer0.v"));
}

TEST(Plan, EveryOpIsASpanWhenAskedFor) {
  const Plan plan = PlanOf(Paged(), Paged(), "", SpanSelection::kOps);
  EXPECT_EQ(plan.spans.size(), 11u);
  EXPECT_TRUE(plan.unchanged);
}

TEST(Plan, LabelsPlayNoPartInTheAlignment) {
  Description candidate = Paged();
  for (Op& op : candidate.programs[0].ops) op.label = "other." + op.label;
  EXPECT_THAT(PlanOf(Paged(), candidate).spans, IsEmpty());
}

TEST(Plan, SlugsStayWhenAnUnrelatedOpIsInserted) {
  Description reference = Paged(), candidate = Fused();
  for (Description* side : {&reference, &candidate}) {
    Program& program = side->programs[0];
    program.ops.insert(program.ops.begin() + 1, Ops("scale embed.scale: -> ~ h")[0]);
  }
  const Plan plan = PlanOf(reference, candidate, "scale");
  ASSERT_EQ(plan.spans.size(), 2u);
  EXPECT_EQ(plan.spans[0].slug, "prefill_embed_scale");
  EXPECT_EQ(plan.spans[1].slug, "prefill_layer0_q_to_append");
}

TEST(Plan, GrowsOverTheUserOfAPrivateBuffer) {
  Small reference("a"), candidate("b");
  reference.Buffers("x y z").Buffers("in", Role::kInput).Buffers("out", Role::kOutput);
  candidate.Buffers("x y z y16").Buffers("in", Role::kInput).Buffers("out", Role::kOutput);
  reference.Run("p", "f a: in -> x \n g b: x -> y \n h c: in -> z \n i d: y z -> out");
  candidate.Run("p", "f a: in -> x \n g16 b: x -> y16 \n h c: in -> z \n i d: y16 z -> out");
  const Plan plan = PlanOf(reference, candidate);
  ASSERT_EQ(plan.spans.size(), 1u);
  EXPECT_EQ(plan.spans[0].reference, (OpRange{1, 4}));
  EXPECT_EQ(plan.spans[0].candidate, (OpRange{1, 4}));
  EXPECT_THAT(plan.spans[0].grown_over, ElementsAre("y", "y16"));
  EXPECT_THAT(Compared(plan.spans[0]), ElementsAre("out"));
  EXPECT_EQ(plan.spans[0].slug, "p_b_to_d");
}

TEST(Plan, AMovedInPlaceOpTakesWhatItMovedOver) {
  Small reference("a"), candidate("b");
  for (Small* side : {&reference, &candidate}) {
    side->Buffers("x y").Buffers("in", Role::kInput).Buffers("out", Role::kOutput);
  }
  reference.Run("p", "f a: in -> x \n u b: -> ~ x \n g c: in -> y \n h d: x y -> out");
  candidate.Run("p", "f a: in -> x \n g c: in -> y \n u b: -> ~ x \n h d: x y -> out");
  const Plan plan = PlanOf(reference, candidate);
  ASSERT_EQ(plan.spans.size(), 1u);
  EXPECT_EQ(plan.spans[0].reference, (OpRange{1, 3}));
  EXPECT_EQ(plan.spans[0].candidate, (OpRange{1, 3}));
  EXPECT_THAT(Compared(plan.spans[0]), testing::IsSupersetOf({"x"}));
}

// The same name, but one side still has to rotate it: no place to compare.
TEST(Plan, DoesNotCutBetweenAWriteAndItsInPlaceRest) {
  Small reference("a"), candidate("b");
  for (Small* side : {&reference, &candidate}) {
    side->Buffers("q o").Buffers("x", Role::kInput).Buffers("out", Role::kOutput);
  }
  reference.Run("p", "linear q: x -> q \n rope r: -> ~ q \n attn t: q -> o \n last l: o -> out");
  candidate.Run("p", "linear_rope q: x -> q \n attn2 t: q -> o \n last l: o -> out");
  const Plan plan = PlanOf(reference, candidate);
  ASSERT_EQ(plan.spans.size(), 2u);
  EXPECT_EQ(plan.spans[0].reference, (OpRange{0, 2}));
  EXPECT_EQ(plan.spans[0].candidate, (OpRange{0, 1}));
  EXPECT_EQ(plan.spans[1].reference, (OpRange{2, 3}));
}

TEST(Plan, AnExtraOpOnTheLastValueIsComparedWithTheOpThatMakesIt) {
  Small reference("a"), candidate("b");
  for (Small* side : {&reference, &candidate}) {
    side->Buffers("in", Role::kInput).Buffers("logits", Role::kLogits);
  }
  reference.Run("p", "head h: in -> logits \n scale s: -> ~ logits");
  candidate.Run("p", "head h: in -> logits");
  const Plan plan = PlanOf(reference, candidate);
  ASSERT_EQ(plan.spans.size(), 1u);
  EXPECT_EQ(plan.spans[0].reference, (OpRange{0, 2}));
  EXPECT_THAT(plan.spans[0].grown_over, ElementsAre("logits"));
  EXPECT_THAT(Compared(plan.spans[0]), ElementsAre("logits"));
}

TEST(Plan, AnOutputThatOneSideDoesNotWriteIsNamed) {
  Small reference("a"), candidate("b");
  for (Small* side : {&reference, &candidate}) {
    side->Buffers("x").Buffers("in", Role::kInput).Buffers("out aux", Role::kOutput);
  }
  reference.Run("p", "f a: in -> x \n g b: x -> aux \n h c: x -> out");
  candidate.Run("p", "f a: in -> x \n h c: x -> out");
  const Plan plan = PlanOf(reference, candidate);
  ASSERT_EQ(plan.spans.size(), 1u);
  ASSERT_EQ(plan.spans[0].not_compared.size(), 1u);
  EXPECT_EQ(plan.spans[0].not_compared[0].name, "aux");
  EXPECT_FALSE(plan.spans[0].not_compared[0].candidate);
  EXPECT_THAT(plan.spans[0].not_compared[0].reason, HasSubstr("reference alone"));
  EXPECT_THAT(Compared(plan.spans[0]), ElementsAre("out"));
  ASSERT_EQ(plan.programs[0].not_compared.size(), 1u);
  EXPECT_EQ(plan.programs[0].not_compared[0].name, "aux");
  EXPECT_THAT(plan.programs[0].outputs, ElementsAre("out"));
}

TEST(Plan, AStateOfAnotherShapeIsNamedWithBothDeclarations) {
  Small candidate = Paged();
  candidate["layer0.k"].dtype = DType::kE4M3;
  const Plan plan = PlanOf(Paged(), candidate);
  ASSERT_EQ(plan.spans.size(), 1u);
  const Span& span = plan.spans[0];
  EXPECT_EQ(span.reference, (OpRange{6, 8})) << "from what appends to what attends";
  ASSERT_EQ(span.not_compared.size(), 2u);
  EXPECT_EQ(span.not_compared[0].name, "layer0.k");
  EXPECT_TRUE(span.not_compared[0].read_before_span);
  EXPECT_THAT(span.not_compared[0].reason, HasSubstr("f32 [64, 16, 2] paged"));
  EXPECT_THAT(span.not_compared[0].reason, HasSubstr("e4m3 [64, 16, 2] paged"));
  EXPECT_THAT(span.grown_over, IsEmpty());
  EXPECT_THAT(Compared(span), ElementsAre("o", "layer0.v"));
  EXPECT_THAT(plan.programs[0].states, ElementsAre("layer0.v"));
  EXPECT_EQ(plan.programs[0].not_compared[0].name, "layer0.k");
}

TEST(Plan, ShapesAreAlikeByWhatTheyComeToAtTheRanks) {
  Small reference = Paged(), candidate = Paged();
  reference["o"].shape = {{"rows", ""}, {"128", "ranks"}};
  candidate["o"].shape = {{"rows", ""}, {"64", ""}};
  Plan plan;
  plan.manifest.ranks.count = 2;
  plan.reference = reference;
  plan.candidate = candidate;
  PlanSpans(Implementation({}, "same"), Implementation({}, "same"), &plan);
  EXPECT_THAT(plan.spans, IsEmpty());
  Plan one;
  one.reference = reference;
  one.candidate = candidate;
  PlanSpans(Implementation({}, "same"), Implementation({}, "same"), &one);
  EXPECT_EQ(one.spans.size(), 1u);
}

TEST(Plan, SlicesAreComparedApart) {
  Small reference("a"), candidate("b");
  for (Small* side : {&reference, &candidate}) {
    side->Buffers("qkv").Buffers("in", Role::kInput).Buffers("out", Role::kOutput);
  }
  reference.Slices("qkv", 1, {{"q", {0, 32}}, {"kv", {32, 32}}});
  candidate.Slices("qkv", 1, {{"query", {0, 32}}, {"kv", {32, 32}}});
  reference.Run("p", "f a: in -> qkv/q \n g b: in -> qkv/kv \n h c: qkv -> out");
  candidate.Run("p", "f a: in -> qkv/query \n g2 b: in -> qkv/kv \n h c: qkv -> out");
  const Plan plan = PlanOf(reference, candidate);
  ASSERT_EQ(plan.spans.size(), 1u) << "slices go by extent, not by name";
  const FrontierTensor* tensor = Find(plan.spans[0], "qkv");
  EXPECT_EQ(tensor->write, Write::kUpdate) << "written in part";
  EXPECT_TRUE(tensor->restored);
  EXPECT_TRUE(tensor->compared);
  EXPECT_THAT(tensor->compared_parts, IsEmpty()) << "nothing else of it is written";
}

TEST(Plan, ADeadSliceIsLeftOutOfTheComparison) {
  Small reference("a"), candidate("b");
  for (Small* side : {&reference, &candidate}) {
    side->Buffers("qkv").Buffers("in", Role::kInput).Buffers("out", Role::kOutput);
    side->Slices("qkv", 1, {{"q", {0, 32}}, {"kv", {32, 32}}});
  }
  reference.Run("p", "f a: in -> qkv \n h c: qkv/q -> out");
  candidate.Run("p", "f2 a: in -> qkv/q \n h c: qkv/q -> out");
  const Plan plan = PlanOf(reference, candidate);
  ASSERT_EQ(plan.spans.size(), 1u);
  EXPECT_THAT(Find(plan.spans[0], "qkv")->compared_parts, ElementsAre(TensorPart{1, 0, 32}));
}

TEST(Plan, OnlyAWholeWriteEndsALife) {
  Small reference("a"), candidate("b");
  for (Small* side : {&reference, &candidate}) {
    side->Buffers("x").Buffers("in", Role::kInput).Buffers("out", Role::kOutput);
  }
  reference.Run("p", "f a: in -> x \n g b: in -> x \n h c: x -> out");
  candidate.Run("p", "f a: in -> x \n g b: in -> x \n h c: x -> out");
  const Plan killed = PlanOf(reference, candidate, "f g h");
  ASSERT_EQ(killed.spans.size(), 3u);
  EXPECT_THAT(Compared(killed.spans[0]), IsEmpty()) << "overwritten unread: dead";
  EXPECT_EQ(Find(killed.spans[0], "x")->write, Write::kPure);
  Description updating = reference;
  updating.programs[0].ops[1] = Ops("g b: in -> ~ x")[0];
  const Plan kept = PlanOf(updating, updating, "f g h");
  EXPECT_THAT(Compared(kept.spans[0]), ElementsAre("x"));
}

TEST(Plan, AnOutputThatIsOverwrittenIsDeadBefore) {
  Small side("a");
  side.Buffers("in", Role::kInput).Buffers("out", Role::kOutput);
  side.Run("p", "f a: in -> out \n g b: in -> out");
  const Plan plan = PlanOf(side, side, "f g");
  EXPECT_THAT(Compared(plan.spans.at(0)), IsEmpty());
  EXPECT_THAT(Compared(plan.spans.at(1)), ElementsAre("out"));
}

// The candidate uses x as a temporary: what it leaves there is not what the reference reads.
TEST(Plan, DoesNotEndWhereAValueIsLiveOnOneSideOnly) {
  Small reference("a"), candidate("b");
  for (Small* side : {&reference, &candidate}) {
    side->Buffers("x y z").Buffers("in", Role::kInput).Buffers("out", Role::kOutput);
  }
  reference.Run("p", "f a: in -> x \n e b: in -> y \n mid m: in -> z \n u c: x y z -> out");
  candidate.Run("p", "f2 a: in -> x y \n mid m: in -> z \n u2 c: y z -> out");
  const Plan plan = PlanOf(reference, candidate);
  ASSERT_EQ(plan.spans.size(), 1u);
  EXPECT_EQ(plan.spans[0].reference, (OpRange{0, 4}));
  EXPECT_THAT(plan.spans[0].grown_over, ElementsAre("x"));
  EXPECT_THAT(Compared(plan.spans[0]), ElementsAre("out"));
}

TEST(Plan, WhatAnotherProgramReadsFirstIsLiveAtTheEnd) {
  Small side("a");
  side.Buffers("scores draft").Buffers("in", Role::kInput).Buffers("out", Role::kOutput);
  side.Buffers("kept", Role::kCarry);
  side.Run("one", "f a: in -> kept \n g b: in -> draft \n h c: in -> out");
  side.Run("two", "i a: kept -> out");
  const Plan plan = PlanOf(side, side, "f g");
  EXPECT_THAT(Compared(plan.spans[0]), ElementsAre("kept"));
  EXPECT_THAT(Compared(plan.spans[1]), IsEmpty()) << "draft is a workspace that nothing reads";
}

TEST(Plan, PeersStandForTheirTargets) {
  Small side("a");
  side.Buffers("x").Buffers("in", Role::kInput).Buffers("out", Role::kOutput);
  side.Peer("x_on_peers", "x");
  side.Run("p", "f a: in -> x \n gather b: x_on_peers -> out");
  const Plan plan = PlanOf(side, side, "gather");
  ASSERT_EQ(plan.spans.size(), 1u);
  EXPECT_TRUE(Find(plan.spans[0], "x")->restored);
  EXPECT_EQ(Find(plan.spans[0], "x")->write, Write::kUpdate);
  EXPECT_THAT(plan.spans[0].candidate_writes, ElementsAre("out", "x"));
}

TEST(Plan, ScratchIsWrittenButNeverExchanged) {
  Small side("a");
  side.Buffers("in", Role::kInput).Buffers("out", Role::kOutput);
  side.Buffers("partial", Role::kScratch).Buffers("flags", Role::kSync);
  side.Run("p", "f a: in -> out partial ~ flags");
  const Plan plan = PlanOf(side, side, "f");
  EXPECT_EQ(Find(plan.spans[0], "partial"), nullptr);
  EXPECT_EQ(Find(plan.spans[0], "flags"), nullptr);
  EXPECT_THAT(plan.spans[0].candidate_writes, ElementsAre("flags", "out", "partial"));
}

TEST(Plan, AnOpThatReadsADifferentlyMadeConstantIsChanged) {
  Small side("a");
  side.Buffers("table").Buffers("in", Role::kInput).Buffers("out", Role::kOutput);
  side.Run("setup", "make_table t: -> table", true);
  side.Run("p", "f a: in table -> out");
  EXPECT_THAT(PlanOf(side, side).spans, IsEmpty());
  const Plan plan = PlanOf(side, side, "make_table");
  ASSERT_EQ(plan.spans.size(), 1u);
  EXPECT_EQ(plan.spans[0].slug, "p_a");
  EXPECT_EQ(Find(plan.spans[0], "table"), nullptr);
  EXPECT_FALSE(plan.unchanged);
  EXPECT_EQ(plan.programs.size(), 1u) << "setup is not driven";
}

TEST(Plan, AProgramOfOneSideOnlyIsListed) {
  Small reference = Paged(), candidate = Paged();
  reference.Buffers("tokens_out", Role::kOutput);
  reference.Run("decode", "sample s: tokens -> tokens_out");
  const Plan plan = PlanOf(reference, candidate);
  ASSERT_EQ(plan.programs.size(), 2u);
  const ProgramPlan& decode = plan.programs[1];
  EXPECT_TRUE(decode.changed);
  EXPECT_FALSE(decode.in_candidate);
  ASSERT_EQ(decode.not_compared.size(), 1u);
  EXPECT_EQ(decode.not_compared[0].name, "tokens_out");
  EXPECT_THAT(decode.not_compared[0].reason, HasSubstr("no such program"));
  EXPECT_FALSE(plan.unchanged);
}

TEST(Plan, ReplicatedAndRolesMustBeDeclaredByBoth) {
  Small reference = Paged(), candidate = Paged();
  reference["h"].replicated = candidate["h"].replicated = true;
  reference["x"].replicated = true;
  candidate["logits"].role = Role::kOutput;
  const Plan plan = PlanOf(reference, candidate);
  const ProgramPlan& program = plan.programs[0];
  EXPECT_THAT(program.replicated, ElementsAre("h"));
  EXPECT_THAT(program.logits, IsEmpty());
  ASSERT_EQ(program.not_compared.size(), 2u);
  EXPECT_THAT(program.not_compared[0].reason, HasSubstr("logits in the reference, output in"));
  EXPECT_THAT(program.not_compared[1].reason, HasSubstr("replicated by the reference alone"));
}

TEST(Plan, AnExplicitListIsTakenAsItIsAndNamesWhatItLeavesOut) {
  Plan plan;
  plan.manifest.selection = SpanSelection::kExplicit;
  plan.manifest.explicit_spans = {{"prefill", 2, 5, 2, 3, {}}};
  plan.reference = Paged();
  plan.candidate = Fused();
  PlanSpans(Implementation({}, "same"), Implementation({}, "same"), &plan);
  ASSERT_EQ(plan.spans.size(), 1u);
  EXPECT_EQ(plan.spans[0].slug, "prefill_layer0_q_to_v");
  EXPECT_THAT(plan.programs[0].uncovered, ElementsAre("layer0.rope", "layer0.append"));
  std::vector<std::string> names;
  for (const PrivateTensor& tensor : plan.spans[0].not_compared) names.push_back(tensor.name);
  EXPECT_THAT(names, ElementsAre("k", "v", "layer0.k", "layer0.v"));
}

TEST(Plan, CollidingSlugsAreNumbered) {
  Small side("a");
  side.Buffers("x").Buffers("in", Role::kInput).Buffers("out", Role::kOutput);
  side.Run("p", "f l.a: in -> x \n g l_a: x -> out");
  const Plan plan = PlanOf(side, side, "f g");
  EXPECT_EQ(plan.spans[0].slug, "p_l_a");
  EXPECT_EQ(plan.spans[1].slug, "p_l_a_2");
}

}  // namespace
}  // namespace parity
