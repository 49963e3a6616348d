#include "gtest_parity/manifest/make_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/manifest/read_manifest.h"
#include "tests/manifest/files.h"

namespace parity {
namespace {

using testing::HasSubstr;

std::string DescriptionOf(const std::string& engine, const std::string& op) {
  return R"({"parity_description": 1, "engine": ")" + engine + R"(", "context": 64,
    "vars": {"rows": {"max": 8}, "seqs": {"max": 2}},
    "buffers": {"tokens": {"dtype": "i32", "shape": ["rows"], "role": "input"},
                "h": {"dtype": "f32", "shape": ["rows", "8/ranks"]},
                "logits": {"dtype": "f32", "shape": ["rows", 16], "role": "logits"}},
    "programs": [{"name": "decode", "ops": [
      {"op": "embed", "label": "embed", "reads": ["tokens"], "writes": ["h"]},
      {"op": ")" +
         op + R"(", "label": "head", "reads": ["h"], "writes": ["logits"]}]}]})";
}

class MakePlanTest : public testing::Test {
 protected:
  MakePlanTest() {
    folder_.Write("liba.so", "one");
    folder_.Write("libb.so", "two");
    folder_.Write("a.json", DescriptionOf("paged", "head"));
    folder_.Write("b.json", DescriptionOf("fused", "fast_head"));
  }
  Plan Make(const std::string& rest = "", const ReadOptions& options = {}) {
    const std::string text =
        "parity: 1\nname: pair\n"
        "reference: {library: a, engine: paged, description: a.json}\n"
        "candidate: {library: b, engine: fused, description: b.json}\n" +
        rest;
    return MakePlan(ReadManifest(folder_.Write("m.yaml", text), options));
  }
  TempFolder folder_;
};

TEST_F(MakePlanTest, FromFilesToSpans) {
  const Plan plan = Make();
  ASSERT_EQ(plan.spans.size(), 2u) << "another library: every op has another implementation";
  EXPECT_EQ(plan.spans[0].slug, "decode_embed");
  EXPECT_EQ(plan.spans[1].slug, "decode_head");
  EXPECT_EQ(plan.programs.at(0).logits, std::vector<std::string>{"logits"});
}

TEST_F(MakePlanTest, ABuildProductMakesGaps) {
  folder_.Write("liba.so.impl.json", R"({"ops": {"embed": "123"}})");
  folder_.Write("libb.so.impl.json", R"({"ops": {"embed": "123"}})");
  EXPECT_EQ(Make().spans.size(), 1u);
}

TEST_F(MakePlanTest, MoreRanksThanThereIsToShare) {
  ReadOptions options;
  options.ranks = 16;
  const std::string error = ErrorOf([&] { Make("", options); });
  EXPECT_THAT(error, HasSubstr("a.json:4:57: /buffers/h/shape/1: buffer h: 8/ranks is not whole at "
                               "ranks 16"));
  EXPECT_THAT(error, HasSubstr("b.json:4:57: "));
}

TEST_F(MakePlanTest, ChangedSpansMustBeThere) {
  EXPECT_THAT(ErrorOf([&] { Make("judge: {spans: end_to_end, changed: [\"*\", \"*_haed\"]}\n"); }),
              HasSubstr("m.yaml:5:43: judge.changed names no span: got \"*_haed\", expected "));
}

TEST_F(MakePlanTest, NothingIsChangedWhereEveryBitIsDemanded) {
  EXPECT_THAT(ErrorOf([&] { Make("judge: {changed: [\"*\"]}\n"); }),
              HasSubstr("m.yaml:5:18: judge.changed: got spans: exact, where no span may differ, "
                        "expected spans: end_to_end"));
}

TEST_F(MakePlanTest, EngineAndTolerancesMustBeDeclared) {
  EXPECT_THAT(
      ErrorOf([&] {
        Make(
            "judge: {tolerances: [{span: decode_haed, buffer: logit, program: decod, "
            "max_ulp: 1, reason: r, until: 2030-01-01}]}\n");
      }),
      testing::AllOf(HasSubstr("m.yaml:5:22: a tolerance for an unknown span: got \"decode_haed\", "
                               "expected \"decode_head\""),
                     HasSubstr("unknown buffer: got \"logit\", expected \"logits\""),
                     HasSubstr("unknown program: got \"decod\", expected \"decode\"")));
  folder_.Write("b.json", DescriptionOf("other", "head"));
  EXPECT_THAT(ErrorOf([&] { Make(); }),
              testing::AllOf(HasSubstr("m.yaml:4:33: engine is not the one that"),
                             HasSubstr("got \"fused\", expected \"other\"")));
}

TEST_F(MakePlanTest, ExplicitSpansMustFit) {
  const auto error = [&](const std::string& spans) {
    return ErrorOf([&] { Make("spans: [" + spans + "]\n"); });
  };
  EXPECT_THAT(error("{program: decode, reference: [0, 3], candidate: [0, 1]}"),
              HasSubstr("reference ops of program decode: got [0, 3), expected a range within "
                        "[0, 2)"));
  EXPECT_THAT(error("{program: decoed, reference: [0, 1], candidate: [0, 1]}"),
              HasSubstr("got \"decoed\", expected \"decode\""));
  EXPECT_THAT(error("{program: decode, reference: [1, 1], candidate: [1, 1]}"),
              HasSubstr("a span without ops"));
  EXPECT_THAT(error("{program: decode, reference: [0, 2], candidate: [0, 1]}, "
                    "{program: decode, reference: [1, 2], candidate: [1, 2]}"),
              HasSubstr("overlap or are out of order"));
}

}  // namespace
}  // namespace parity
