#include "gtest_parity/manifest/check_views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/manifest/read_description.h"
#include "tests/manifest/files.h"

namespace parity {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json Good() {
  return json::parse(R"({
    "parity_description": 1, "engine": "fused", "context": 512,
    "vars": {"rows": {"max": 256}, "seqs": {"max": 8}, "kv_tokens": {"max": 1024}},
    "paging": {"page_tokens": 16, "page_count": 64},
    "buffers": {
      "tokens": {"dtype": "i32", "shape": ["rows"], "role": "input"},
      "w": {"dtype": "bf16", "shape": [64], "role": "constant"},
      "tmp": {"dtype": "bf16", "shape": [64], "role": "scratch"},
      "x": {"dtype": "f32", "shape": ["rows", 256]},
      "qkv": {"dtype": "bf16", "shape": ["rows", "8/ranks", 64], "views": {
        "q": {"dtype": "f32", "shape": ["rows", "256/ranks"],
              "slice": {"axis": 1, "start": 0, "size": "4/ranks"}},
        "k": {"shape": ["2/ranks", "rows", 64], "transpose": [1, 0, 2],
              "slice": {"axis": 1, "start": "4/ranks", "size": "2/ranks"}}}}},
    "states": {
      "cache": {"dtype": "f32", "shape": [64, 16, 64], "paged": true, "views": {
        "cache": {"shape": ["kv_tokens", 64], "by": "engine"}}},
      "sums": {"dtype": "f32", "shape": [8]}},
    "peers": {"far": {"of": "x"}},
    "programs": [
      {"name": "setup", "once": true, "ops": [{"op": "f", "label": "f", "writes": ["w"]}]},
      {"name": "prefill", "ops": [
        {"op": "a", "label": "a", "reads": ["tokens", "w"], "writes": ["x", "tmp"], "updates": ["far"]},
        {"op": "b", "label": "b", "reads": ["x"], "writes": ["qkv"], "updates": ["cache", "sums"]}]}]})");
}

Description Read(const json& description, std::uint32_t ranks = 1) {
  return ReadDescription(JsonSource("d.json", description.dump(1)), ranks);
}

TEST(CheckViews, EverythingThatCanBeSaid) {
  const Description description = Read(Good(), 2);
  const std::vector<View>& views = description.tensors.at("qkv").views;
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[1].name, "q");
  EXPECT_EQ(views[1].dtype, DType::kF32);
  EXPECT_EQ(views[1].shape[1].Text(), "256/ranks");
  EXPECT_EQ(views[1].slice->size.Text(), "4/ranks");
  EXPECT_FALSE(views[1].by_engine);
  EXPECT_EQ(views[0].name, "k");
  EXPECT_EQ(views[0].dtype, DType::kBF16) << "the tensor's own";
  EXPECT_EQ(views[0].transpose, (std::vector<std::uint32_t>{1, 0, 2}));
  EXPECT_TRUE(description.tensors.at("cache").views[0].by_engine);
}

TEST(CheckViews, OneErrorEach) {
  struct Bad {
    const char* pointer;
    json value;
    const char* expected;
  };
  const char* q = "/buffers/qkv/views/q";
  const std::string at = std::string("d.json:");
  const Bad cases[] = {
      {"/buffers/qkv/views/q/dtpye", "f32", "unknown key: got \"dtpye\", expected \"dtype\""},
      {"/buffers/qkv/views/q/dtype", "f23", "/buffers/qkv/views/q/dtype: unknown dtype"},
      {"/buffers/qkv/views/q/dtype", "i32",
       "view q of qkv cannot be converted: got i32, expected bf16, or a dtype that holds all its"},
      {"/buffers/qkv/views/q/by", "engin", "by: unknown: got \"engin\", expected \"engine\""},
      {"/buffers/qkv/views/q/by", "engine",
       "view q of qkv is the engine's: got a slice, expected none: only the engine knows"},
      {"/buffers/qkv/views/k/by", "engine", "is the engine's: got a permutation"},
      {"/buffers/qkv/views/q/shape/1", 128,
       "view q of qkv has another number of elements than what it shows: got [rows, 128], "
       "expected as many as [rows, 4, 64]"},
      {"/buffers/qkv/views/q/shape/0", "seqs",
       "got [seqs, 256], expected as many as [rows, 4, 64]"},
      {"/buffers/qkv/views/q/shape/0", "row", "view q of qkv: unknown variable: got \"row\""},
      {"/buffers/qkv/views/q/slice/axis", 3, "no such axis: got 3, expected one below 3"},
      {"/buffers/qkv/views/q/slice/size", 9,
       "slice of view q of qkv is not inside axis 1: got [0, 9), expected a part of [0, 8)"},
      {"/buffers/qkv/views/q/slice/start", "seqs",
       "view q of qkv moves with the step: got seqs and 4/ranks, expected numbers"},
      {"/buffers/qkv/views/q/slice/start", 3,
       "view q of qkv overlaps view k: got [3, 7) of axis 1, expected nothing of [4, 6) of axis 1"},
      {"/buffers/qkv/views/all",
       {{"shape", {"rows", 512}}},
       "view k of qkv overlaps view all: got [4, 6) of axis 1, expected nothing of the whole"},
      {"/buffers/qkv/views/k/transpose/1", 1,
       "view k of qkv is no permutation: got 3 axes, 2 of them different, expected each of 3 once"},
      {"/buffers/qkv/views/k/transpose/1", 3, "/transpose/1: no such axis: got 3"},
      {"/buffers/qkv/views/k/transpose", json::array({1, 0}), "is no permutation: got 2 axes"},
      {"/buffers/qkv/views/sums",
       {{"shape", {"rows", 64}}},
       "view sums of qkv: a buffer, state or peer has that name: got \"sums\""},
      {"/buffers/qkv/views/far", {{"shape", {"rows", 64}}}, "has that name: got \"far\""},
      {"/states/sums/views/q",
       {{"shape", {8}}},
       "view q of sums: qkv has a view of that name too: got \"q\", expected another"},
      {"/buffers/w/views/y",
       {{"shape", {64}}},
       "view y of w: its contents are never restored or compared: got role \"constant\""},
      {"/buffers/tmp/views/y", {{"shape", {64}}}, "got role \"scratch\", expected no view of it"},
      {"/states/cache/views/cache",
       {{"shape", {1024, 64}}},
       "a paged state lies where its engine's block table says: got by \"harness\", expected by "
       "\"engine\""},
      {"/buffers/qkv/dtype", "e2m1",
       "view k of qkv: elements that share a byte cannot be moved one by one: got by \"harness\""},
      {"/buffers/qkv/views/v",
       {{"shape", {"rows"}}, {"by", "engine"}},
       "view v of qkv and view k are carried out differently: got \"engine\""},
  };
  for (const Bad& bad : cases) {
    SCOPED_TRACE(std::string(bad.pointer) + " " + bad.value.dump());
    json description = Good();
    description[json::json_pointer(bad.pointer)] = bad.value;
    const std::string error = ErrorOf([&] { Read(description); });
    EXPECT_THAT(error, HasSubstr(bad.expected));
    EXPECT_THAT(error, testing::StartsWith(at));
  }
  json missing = Good();
  missing[json::json_pointer(q)].erase("shape");
  EXPECT_THAT(ErrorOf([&] { Read(missing); }), HasSubstr("missing key \"shape\""));
}

// At a rank count that does not divide the heads nothing is said twice, and nothing throws.
TEST(CheckViews, ExtentsThatAreNotWhole) {
  const std::string error = ErrorOf([] { Read(Good(), 3); });
  EXPECT_THAT(error,
              HasSubstr("/buffers/qkv/views/q/shape/1: view q of qkv: 256/ranks is not whole"));
  EXPECT_THAT(error, HasSubstr("slice of view q of qkv: 4/ranks is not whole"));
  EXPECT_THAT(error, testing::Not(HasSubstr("another number of elements")));
}

}  // namespace
}  // namespace parity
