#include "gtest_parity/manifest/diff_descriptions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity {
namespace {

using nlohmann::json;

TEST(DiffDescriptions, EqualIsEmptyWhateverTheOrderOfKeys) {
  EXPECT_EQ(DiffDescriptions(json::parse(R"({"a": 1, "b": [1, 2]})"),
                             json::parse(R"({"b": [1, 2], "a": 1})")),
            "");
}

TEST(DiffDescriptions, NamesEachPlace) {
  const json ours = json::parse(R"({"buffers": {"q": {"dtype": "f32"}, "old": 1}, "context": 4,
    "programs": [{"name": "p", "ops": [{"label": "a", "op": "x"}, {"label": "b", "op": "y"}]}]})");
  const json theirs = json::parse(R"({"buffers": {"q": {"dtype": "bf16"}, "new": 2}, "context": 4,
    "programs": [{"name": "p", "ops": [{"label": "c", "op": "z"}, {"label": "a", "op": "w"}]}]})");
  EXPECT_EQ(DiffDescriptions(ours, theirs),
            "/buffers/old: checked in 1, the engine has none\n"
            "/buffers/q/dtype: checked in \"f32\", the engine says \"bf16\"\n"
            "/buffers/new: not checked in, the engine says 2\n"
            "/programs/p/ops/a/op: checked in \"x\", the engine says \"w\"\n"
            "/programs/p/ops/b: checked in {\"label\":\"b\",\"op\":\"y\"}, the engine has none\n"
            "/programs/p/ops/c: not checked in, the engine says {\"label\":\"c\",\"op\":\"z\"}\n");
}

TEST(DiffDescriptions, OrderOfOpsMatters) {
  const json ours = json::parse(R"([{"label": "a"}, {"label": "b"}])");
  const json theirs = json::parse(R"([{"label": "b"}, {"label": "a"}])");
  EXPECT_EQ(DiffDescriptions(ours, theirs), "/: in another order\n");
  EXPECT_EQ(DiffDescriptions(json::parse("[1, 2]"), json::parse("[2, 1, 3]")),
            "/0: checked in 1, the engine says 2\n/1: checked in 2, the engine says 1\n"
            "/2: not checked in, the engine says 3\n");
}

TEST(DiffDescriptions, TypesAndLengthsCount) {
  EXPECT_NE(DiffDescriptions(json(1), json("1")), "");
  EXPECT_NE(DiffDescriptions(json::array(), json::object()), "");
  json ours = json::array(), theirs = json::array();
  for (int i = 0; i < 100; ++i) {
    ours.push_back(i);
    theirs.push_back(-1 - i);
  }
  EXPECT_THAT(DiffDescriptions(ours, theirs), testing::EndsWith("and 60 more differences\n"));
}

}  // namespace
}  // namespace parity
