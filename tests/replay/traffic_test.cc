// The bytes that ops have to touch, from what is declared.
#include "gtest_parity/replay/traffic.h"

#include <gtest/gtest.h>

#include "tests/replay/small_plan.h"

namespace parity {
namespace {

// `attend` reads rows [rows, 8] and a paged state, and writes rows; `append` updates the state;
// both read one half of a constant.
Plan SmallPlan() {
  Plan plan;
  Description engine = SmallEngine();
  Tensor rows{.name = "x", .dtype = DType::kBF16, .shape = {{"rows", ""}, {"8", ""}}};
  engine.tensors["x"] = rows;
  rows.name = "y";
  engine.tensors["y"] = rows;
  engine.tensors["k"] = PagedState({{"64", ""}, {"16", ""}, {"2", ""}, {"4", ""}});
  Tensor weight{.name = "w", .dtype = DType::kF32, .shape = {{"10", ""}, {"6", ""}}};
  weight.role = Role::kConstant;
  weight.slices["half"] = Slice{0, {"0", ""}, {"5", ""}};
  engine.tensors["w"] = weight;
  engine.programs = {{"decode",
                      false,
                      {{"attend", "attend", {"x", "k", "w/half"}, {"y"}, {}},
                       {"append", "append", {"y", "w/half"}, {}, {"k"}}}}};
  plan.reference = plan.candidate = engine;
  plan.manifest.ranks.count = 1;
  plan.programs = {{.name = "decode", .outputs = {"y"}, .states = {"k"}}};
  return plan;
}

FrontierTensor Frontier(Kind kind, const std::string& name, bool restored, Write write) {
  FrontierTensor tensor;
  tensor.kind = kind;
  tensor.name = name;
  tensor.restored = restored;
  tensor.write = write;
  return tensor;
}

// Two sequences: 3 tokens behind 10, 1 token behind 20.
WorkloadRun RaggedRun() {
  WorkloadRun run;
  run.sequences = {{0, 10, {1, 2, 3}}, {1, 20, {4}}};
  return run;
}

constexpr std::uint64_t kHalf = 5 * 6 * 4, kRows = 4 * 8 * 2, kToken = 2 * 4 * 4;

TEST(Traffic, OfAStateThatIsReadAreTheTokensSoFar) {
  Plan plan = SmallPlan();
  Span span;
  span.program = "decode";
  span.reference = span.candidate = {0, 1};
  span.frontier = {Frontier(Kind::kBuffer, "x", true, Write::kNone),
                   Frontier(Kind::kState, "k", true, Write::kNone),
                   Frontier(Kind::kBuffer, "y", false, Write::kPure)};
  EXPECT_EQ(SpanTraffic(plan, span, true, RaggedRun()), kHalf + 2 * kRows + 34 * kToken);
}

TEST(Traffic, OfAStateThatIsWrittenAreThisRunsTokens) {
  Plan plan = SmallPlan();
  Span span;
  span.program = "decode";
  span.reference = span.candidate = {1, 2};
  span.frontier = {Frontier(Kind::kBuffer, "y", true, Write::kNone),
                   Frontier(Kind::kState, "k", true, Write::kUpdate)};
  EXPECT_EQ(SpanTraffic(plan, span, false, RaggedRun()), kHalf + kRows + 4 * kToken);
}

TEST(Traffic, OfAProgramCountsAConstantOnce) {
  EXPECT_EQ(ProgramTraffic(SmallPlan(), "decode", true, RaggedRun()),
            kHalf + kRows + (34 + 4) * kToken);
}

}  // namespace
}  // namespace parity
