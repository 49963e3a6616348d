#include "gtest_parity/manifest/describe_plan.h"

#include <gtest/gtest.h>

#include "tests/golden_file.h"
#include "tests/manifest/small_descriptions.h"

namespace parity {
namespace {

// One of everything that the text can say.
Plan Example() {
  Small reference("paged"), candidate("fused");
  for (Small* side : {&reference, &candidate}) {
    side->Buffers("h x q o f").Buffers("tokens block_table", Role::kInput);
    side->Buffers("w", Role::kConstant).Buffers("logits", Role::kLogits);
    side->Buffers("next", Role::kDecision).States("layer0.k layer0.v layer0.idx");
    side->Slices("f", 1, {{"lo", {0, 16}}, {"hi", {16, 48}}});
    (*side)["h"].replicated = true;
  }
  reference.Buffers("k v").Buffers("aux", Role::kOutput);
  candidate.Buffers("o16");
  candidate["layer0.idx"].dtype = DType::kI32;
  reference.Run("prefill", R"(
    embed embed: tokens w -> h
    norm layer0.norm: h -> x
    linear layer0.q: x w -> q
    linear layer0.k: x w -> k
    linear layer0.v: x w -> v
    append layer0.append: k v block_table -> ~ layer0.k layer0.v
    attention layer0.attention: q layer0.k layer0.v -> o
    index layer0.index: x -> ~ layer0.idx
    add layer0.add: o -> ~ h
    gate layer0.gate: h -> f
    down layer0.down: f/lo -> ~ h
    probe probe: h -> aux
    head head: h -> logits
    pick pick: logits -> next
  )");
  reference.Run("score", "head head: tokens -> logits");
  candidate.Run("prefill", R"(
    embed embed: tokens w -> h
    norm layer0.norm: h -> x
    qkv layer0.qkv: x w block_table -> q ~ layer0.k layer0.v
    attention16 layer0.attention: q layer0.k layer0.v -> o16
    index layer0.index: x -> ~ layer0.idx
    add layer0.add: o16 -> ~ h
    gate_lo layer0.gate: h -> f/lo
    down layer0.down: f/lo -> ~ h
    head head: h -> logits
    pick pick: logits -> next
  )");
  Plan plan = PlanOf(reference, candidate, "norm pick");
  plan.manifest.name = "paged_vs_fused";
  return plan;
}

TEST(DescribePlan, Golden) {
  EXPECT_TRUE(testing::MatchesGoldenFile(
      PARITY_SOURCE_DIR "/tests/manifest/golden/describe_plan.txt", DescribePlan(Example())));
}

TEST(DescribePlan, NothingDiffers) {
  Small side("same");
  side.Buffers("in", Role::kInput).Buffers("out", Role::kOutput);
  side.Run("p", "f a: in -> out");
  const Plan plan = PlanOf(side, side);
  EXPECT_EQ(SummarizePlan(plan),
            "small: same against same, 1 rank in threads, 0 spans in 1 program, the sides are the "
            "same");
  EXPECT_NE(DescribePlan(plan).find("0, nothing differs"), std::string::npos);
}

TEST(DescribePlan, LongListsAreFolded) {
  Small reference("a"), candidate("b");
  std::string ops;
  for (int i = 0; i < 200; ++i) {
    const std::string n = std::to_string(i);
    for (Small* side : {&reference, &candidate}) side->Buffers("out" + n, Role::kOutput);
    ops += "f" + n + " l" + n + ": in -> out" + n + "\n";
  }
  for (Small* side : {&reference, &candidate}) side->Buffers("in", Role::kInput);
  reference.Run("p", ops);
  std::string all = "every all: in ->";
  for (int i = 0; i < 200; ++i) all += " out" + std::to_string(i);
  candidate.Run("p", all);
  const Plan plan = PlanOf(reference, candidate);
  ASSERT_EQ(plan.spans.size(), 1u);
  EXPECT_LT(DescribePlan(plan).size(), 1500u);
  EXPECT_NE(DescribePlan(plan).find("and 184 more"), std::string::npos);
}

}  // namespace
}  // namespace parity
