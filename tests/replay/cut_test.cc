#include "gtest_parity/replay/cut.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/replay/small_plan.h"

namespace parity {
namespace {

using ::testing::ElementsAre;

// A span of two ops that both write h, and one whose x is not compared.
TEST(CutsOf, AreWhereASpanHasFinishedWhatIsCompared) {
  Plan plan;
  Description engine = SmallEngine();
  for (const char* name : {"h", "x"}) {
    engine.tensors[name] = {.name = name, .dtype = DType::kF32, .shape = {{"rows", ""}}};
  }
  engine.programs = {{"decode",
                      false,
                      {{"embed", "embed", {"tokens"}, {"h"}, {}},
                       {"add", "add", {}, {}, {"h"}},
                       {"norm", "norm", {"h"}, {"x"}, {}}}}};
  plan.reference = plan.candidate = engine;
  plan.candidate.programs[0].ops[1].label = "sum";
  Span first{.program = "decode", .slug = "first", .label = "embed .. add"};
  first.reference = first.candidate = {0, 2};
  first.frontier = {{.name = "h", .write = Write::kPure, .compared = true}};
  Span second{.program = "decode", .slug = "second", .label = "norm"};
  second.reference = second.candidate = {2, 3};
  second.frontier = {{.name = "h", .restored = true}, {.name = "x", .write = Write::kPure}};
  plan.spans = {first, second};
  const auto texts = [&](bool candidate) {
    std::vector<std::string> texts;
    for (const Cut& cut : CutsOf(plan, candidate)) {
      texts.push_back(cut.Text(candidate ? plan.candidate : plan.reference));
    }
    return texts;
  };
  EXPECT_THAT(texts(false), ElementsAre("h at add of decode"));
  EXPECT_THAT(texts(true), ElementsAre("h at sum of decode"));
  plan.spans[1].frontier[1].compared = true;
  EXPECT_THAT(texts(true), ElementsAre("h at sum of decode", "x at norm of decode"));
}

}  // namespace
}  // namespace parity
