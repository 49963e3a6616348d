#include "gtest_parity/manifest/see_through_views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/manifest/describe_plan.h"
#include "tests/manifest/small_descriptions.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

View ViewNamed(const std::string& name, std::vector<Dim> shape, std::optional<Slice> slice = {}) {
  View view;
  view.name = name;
  view.dtype = DType::kF32;
  view.shape = std::move(shape);
  view.slice = std::move(slice);
  return view;
}

View ByEngine(const std::string& name) {
  View view = ViewNamed(name, {{"kv_tokens", ""}, {"2", ""}});
  view.by_engine = true;
  return view;
}

Slice Part(int start, int size) {
  return {1, {std::to_string(start), ""}, {std::to_string(size), ""}};
}

Small Paged() {
  Small small("paged");
  small.Buffers("x q k v attn").Buffers("tokens table", Role::kInput).States("cache");
  small.Buffers("out", Role::kOutput);
  small["cache"].views = {ByEngine("cache")};
  small.Run("p", R"(
    embed embed: tokens -> x
    linear q: x -> q
    linear k: x -> k
    linear v: x -> v
    rope rope: -> ~ q k
    append append: k v table -> ~ cache
    attention attention: q cache table -> attn
    linear o: attn -> out
  )");
  return small;
}

// q, k and v as parts of one buffer, the cache by slots, attn with its axes swapped.
Small Slotted() {
  Small small("slotted");
  small.Buffers("x qkv attn").Buffers("tokens slots", Role::kInput).States("cache");
  small.Buffers("out", Role::kOutput);
  small["qkv"].shape = {{"rows", ""}, {"192", ""}};
  small.Slices("qkv", 1, {{"q", {0, 64}}, {"k", {64, 64}}, {"v", {128, 64}}, {"qk", {0, 128}}});
  const std::vector<Dim> matrix = {{"rows", ""}, {"64", ""}};
  small["qkv"].views = {ViewNamed("q", matrix, Part(0, 64)), ViewNamed("k", matrix, Part(64, 64)),
                        ViewNamed("v", matrix, Part(128, 64))};
  small["attn"].shape = {{"64", ""}, {"rows", ""}};
  small["attn"].views = {ViewNamed("attn", matrix)};
  small["attn"].views[0].transpose = {1, 0};
  small["cache"].shape = {{"8", ""}, {"128", ""}, {"2", ""}};
  small["cache"].paged = false;
  small["cache"].views = {ByEngine("cache")};
  small.Run("p", R"(
    embed embed: tokens -> x
    qkv qkv: x -> qkv
    rope rope: -> ~ qkv/q qkv/k
    store store: qkv/k qkv/v slots -> ~ cache
    attention attention: qkv/q cache slots -> attn
    linear o: attn -> out
  )");
  return small;
}

std::vector<std::string> Slugs(const Plan& plan) {
  std::vector<std::string> slugs;
  for (const Span& span : plan.spans) slugs.push_back(span.slug);
  return slugs;
}

TEST(SeeThroughViews, SpansCloseWhereTheViewsCorrespond) {
  const Plan plan = PlanOf(Paged(), Slotted(), "rope linear");
  EXPECT_THAT(Slugs(plan), ElementsAre("p_q_to_v", "p_rope", "p_append", "p_attention", "p_o"));
  EXPECT_THAT(Compared(plan.spans[0]), ElementsAre("k", "q", "v"));
  EXPECT_EQ(Find(plan.spans[0], "q")->write, Write::kPure) << "a write of the whole is one of each";
  EXPECT_THAT(Compared(plan.spans[1]), ElementsAre("k", "q"));
  EXPECT_EQ(Find(plan.spans[1], "v"), nullptr);
  EXPECT_THAT(Compared(plan.spans[2]), ElementsAre("cache"));
  EXPECT_TRUE(Find(plan.spans[2], "cache")->restored);
  EXPECT_THAT(Compared(plan.spans[3]), ElementsAre("attn"));
  for (const Span& span : plan.spans) EXPECT_THAT(span.not_compared, IsEmpty()) << span.slug;
  EXPECT_THAT(plan.programs[0].states, ElementsAre("cache"));
  EXPECT_THAT(plan.spans[1].candidate_writes, ElementsAre("k", "q"));
}

TEST(SeeThroughViews, WhatAViewShowsAndWhatItIsTakenOf) {
  const Plan plan = PlanOf(Paged(), Slotted());
  const Tensor& k = plan.candidate.tensors.at("k");
  EXPECT_EQ(k.kind, Kind::kBuffer);
  EXPECT_EQ(k.seen->stored.name, "qkv");
  EXPECT_EQ(k.seen->view->slice->start.Text(), "64");
  EXPECT_FALSE(plan.candidate.tensors.contains("qkv"));
  EXPECT_EQ(plan.reference.tensors.at("cache").seen->stored.shape.size(), 3u);
  EXPECT_EQ(plan.reference.tensors.at("q").seen, nullptr);
}

TEST(SeeThroughViews, WithoutThemSpansGrowAndNamesAreGiven) {
  Small reference = Paged(), candidate = Slotted();
  reference["cache"].views.clear();
  for (const char* name : {"qkv", "attn", "cache"}) candidate[name].views.clear();
  const Plan plan = PlanOf(reference, candidate);
  EXPECT_THAT(Slugs(plan), ElementsAre("p_q_to_o"));
  ASSERT_EQ(plan.spans[0].not_compared.size(), 2u);
  EXPECT_EQ(plan.spans[0].not_compared[0].name, "cache");
  EXPECT_THAT(plan.spans[0].not_compared[0].reason, HasSubstr("declared differently: state f32 ["));
  EXPECT_TRUE(plan.spans[0].not_compared[0].read_before_span);
  EXPECT_THAT(plan.programs[0].states, IsEmpty());
  EXPECT_THAT(DescribePlan(plan), HasSubstr("within        attn, k, q, v of the reference; attn, "
                                            "qkv of the candidate"));
}

TEST(SeeThroughViews, OneSideAloneIsNotEnough) {
  Small reference = Paged();
  reference["cache"].views.clear();
  const Plan plan = PlanOf(reference, Slotted());
  EXPECT_EQ(plan.candidate.tensors.at("cache").seen, nullptr);
  EXPECT_THAT(plan.spans.back().not_compared.size() + plan.programs[0].not_compared.size(),
              testing::Gt(1u));
}

TEST(SeeThroughViews, WhatIsAlikeAsItIsNeedsNone) {
  const Plan plan = PlanOf(Paged(), Paged(), "attention");
  EXPECT_EQ(plan.reference.tensors.at("cache").seen, nullptr);
  EXPECT_TRUE(plan.reference.tensors.at("cache").paged);
  EXPECT_THAT(DescribePlan(plan), testing::Not(HasSubstr("views")));
}

// v has no view: its part stays behind, private, and does not get in the way of the others.
TEST(SeeThroughViews, ThePartThatNoViewShows) {
  Small candidate = Slotted();
  candidate["qkv"].views.pop_back();
  const Plan plan = PlanOf(Paged(), candidate, "rope");
  EXPECT_EQ(plan.candidate.tensors.at("qkv/rest").seen->view, std::nullopt);
  EXPECT_THAT(Slugs(plan), testing::Contains("p_attention"));
  const std::string text = DescribePlan(plan);
  EXPECT_THAT(text, HasSubstr("qkv/rest is what the views leave of qkv f32 [rows, 192]"));
  EXPECT_THAT(text, HasSubstr("qkv/rest of the candidate"));
}

TEST(SeeThroughViews, AViewWithoutACounterpartIsPrivate) {
  Small reference = Paged();
  reference["v"].dtype = DType::kBF16;
  const Plan plan = PlanOf(reference, Slotted(), "rope");
  EXPECT_NE(plan.candidate.tensors.at("v").seen, nullptr);
  EXPECT_THAT(Slugs(plan), testing::Not(testing::Contains("p_q_to_v")))
      << "the span has to take in the op that reads v";
  EXPECT_THAT(DescribePlan(plan), HasSubstr("v of the reference"));
}

TEST(SeeThroughViews, ViewsThatCorrespondToNothingAreNamed) {
  Small candidate = Slotted();
  for (View& view : candidate["qkv"].views) view.dtype = DType::kF64;
  candidate.Run("other", "f f: qkv/q -> out");
  const Plan plan = PlanOf(Paged(), candidate);
  EXPECT_EQ(plan.candidate.tensors.count("qkv"), 1u);
  EXPECT_THAT(DescribePlan(plan), HasSubstr("nor what it can be seen as: q, k, v"));
}

// Writes of a slice: of views that lie in it whole, and parts of others.
TEST(SeeThroughViews, SlicesOfWhatIsSeen) {
  Small candidate = Slotted();
  Description description = candidate;
  description.programs = {{"p", false, Ops(R"(
    f a: tokens -> qkv/qk
    f b: tokens -> qkv/v
    g c: qkv/qk -> out
  )")}};
  candidate["qkv"].slices["odd"] = Part(32, 64);
  Description odd = candidate;
  odd.programs = {{"p", false, Ops(R"(
    f a: tokens -> qkv
    f b: tokens -> qkv/odd
    g c: qkv/odd -> out
  )")}};
  Description reference = Paged(), other = Paged();
  SeeThroughViews(&reference, &description, 1);
  EXPECT_THAT(description.programs[0].ops[0].writes, ElementsAre("q", "k"));
  EXPECT_THAT(description.programs[0].ops[1].writes, ElementsAre("v"));
  EXPECT_THAT(description.programs[0].ops[2].reads, ElementsAre("q", "k"));
  SeeThroughViews(&other, &odd, 1);
  EXPECT_THAT(odd.programs[0].ops[0].writes, ElementsAre("q", "k", "v"));
  EXPECT_THAT(odd.programs[0].ops[1].writes, IsEmpty());
  EXPECT_THAT(odd.programs[0].ops[1].updates, ElementsAre("q", "k"));
  EXPECT_THAT(odd.programs[0].ops[2].reads, ElementsAre("q", "k"));
}

TEST(SeeThroughViews, PeersReachWhatTheirTargetIsSeenAs) {
  Small candidate = Slotted();
  candidate.Peer("far", "qkv");
  Description description = candidate;
  description.programs = {{"p", false, Ops("f a: far -> out")}};
  Description reference = Paged();
  SeeThroughViews(&reference, &description, 1);
  EXPECT_THAT(description.peers,
              UnorderedElementsAre(testing::Pair("far/q", "q"), testing::Pair("far/k", "k"),
                                   testing::Pair("far/v", "v")));
  EXPECT_THAT(description.programs[0].ops[0].reads, ElementsAre("far/q", "far/k", "far/v"));
}

TEST(SeeThroughViews, ASecondLookChangesNothing) {
  Description reference = Paged(), candidate = Slotted();
  SeeThroughViews(&reference, &candidate, 1);
  const auto names = [](const Description& side) {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : side.tensors) names.push_back(name);
    return names;
  };
  const auto before = names(candidate);
  SeeThroughViews(&reference, &candidate, 1);
  EXPECT_EQ(names(candidate), before);
}

}  // namespace
}  // namespace parity
