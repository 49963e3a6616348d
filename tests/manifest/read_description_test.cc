#include "gtest_parity/manifest/read_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/manifest/files.h"

namespace parity {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

json Good() {
  return json::parse(R"({
    "parity_description": 1, "engine": "paged", "context": 512,
    "vars": {"rows": {"max": 256}, "seqs": {"max": 8}},
    "paging": {"page_tokens": 16, "page_count": 64},
    "buffers": {
      "tokens": {"dtype": "i32", "shape": ["rows"], "role": "input", "domain": {"min": 0, "max": 1023}},
      "x": {"dtype": "f32", "shape": ["rows", 256], "replicated": true},
      "qkv": {"dtype": "f32", "shape": ["rows", "256/ranks"], "slices": {
        "q": {"axis": 1, "start": 0, "size": "128/ranks"},
        "kv": {"axis": 1, "start": "128/ranks", "size": "128/ranks"}}},
      "logits": {"dtype": "f32", "shape": ["seqs", 1024], "role": "logits"},
      "next": {"dtype": "i32", "shape": ["seqs"], "role": "decision", "scores": "logits"},
      "table": {"dtype": "bf16", "shape": [64], "role": "constant"}},
    "states": {"k": {"dtype": "f32", "shape": [64, 16, "2/ranks", 64], "paged": true}},
    "peers": {"peer_x": {"of": "x"}},
    "programs": [
      {"name": "setup", "once": true, "ops": [
        {"op": "fill", "label": "table", "writes": ["table"]}]},
      {"name": "prefill", "ops": [
        {"op": "embed", "label": "embed", "reads": ["tokens"], "writes": ["x"]},
        {"op": "q", "label": "q", "reads": ["x", "table"], "writes": ["qkv/q"]},
        {"op": "kv", "label": "kv", "reads": ["x"], "writes": ["qkv/kv"], "updates": ["k"]},
        {"op": "reduce", "label": "reduce", "reads": ["qkv"], "updates": ["peer_x"]},
        {"op": "head", "label": "head", "reads": ["x"], "writes": ["logits"]},
        {"op": "pick", "label": "pick", "reads": ["logits"], "writes": ["next"]}]}]})");
}

Description Read(const json& description, std::uint32_t ranks = 1) {
  return ReadDescription(JsonSource("d.json", description.dump(1)), ranks);
}

std::string Error(const json& description, std::uint32_t ranks = 1) {
  return ErrorOf([&] { Read(description, ranks); });
}

// One change to a good description gives exactly one error, which says `expected`.
struct Bad {
  const char* pointer;
  json value;
  const char* expected;
};

TEST(ReadDescription, EverythingThatCanBeSaid) {
  const Description description = Read(Good(), 2);
  EXPECT_EQ(description.engine, "paged");
  EXPECT_EQ(description.context, 512u);
  EXPECT_EQ(description.paging->page_count, 64u);
  EXPECT_EQ(description.var_max.at("rows"), 256u);
  const Tensor& qkv = description.tensors.at("qkv");
  EXPECT_EQ(qkv.Shape({{"rows", 5}, {"ranks", 2}}), (std::vector<std::uint64_t>{5, 128}));
  EXPECT_EQ(qkv.slices.at("kv").start.Text(), "128/ranks");
  EXPECT_EQ(qkv.role, Role::kWorkspace);
  EXPECT_EQ(description.tensors.at("next").scores, "logits");
  EXPECT_EQ(description.tensors.at("tokens").domain->max, 1023);
  EXPECT_TRUE(description.tensors.at("x").replicated);
  EXPECT_TRUE(description.tensors.at("k").paged);
  EXPECT_EQ(description.tensors.at("k").kind, Kind::kState);
  EXPECT_EQ(description.peers.at("peer_x"), "x");
  EXPECT_TRUE(description.FindProgram("setup")->once);
  EXPECT_EQ(description.FindProgram("prefill")->ops.at(2).updates.at(0), "k");
  EXPECT_EQ(description.FindProgram("none"), nullptr);
}

TEST(ReadDescription, MoreRanksThanHeads) {
  EXPECT_THAT(Error(Good(), 4),
              AllOf(HasSubstr("/states/k/shape/2: state k: 2/ranks is not whole at ranks 4: got "
                              "2/4, expected a multiple"),
                    HasSubstr("d.json:")));
  EXPECT_THAT(Error(Good(), 3), HasSubstr("buffer qkv: 256/ranks is not whole at ranks 3"));
}

TEST(ReadDescription, APackedRowEndsWithAByte) {
  json packed = Good();
  packed["buffers"]["x"]["dtype"] = "e2m1";
  EXPECT_EQ(Read(packed).tensors.at("x").dtype, DType::kE2M1);
  const json shapes[] = {{"rows", 255}, {256, "rows"}, json::array(), {"rows", "256/rows"}};
  for (const json& shape : shapes) {
    packed["buffers"]["x"]["shape"] = shape;
    EXPECT_THAT(Error(packed),
                HasSubstr("/buffers/x/shape: buffer x: e2m1 is packed two to a byte"))
        << shape;
  }
}

TEST(ReadDescription, NestedBeyondUse) {
  std::string text = R"({"engine": )" + std::string(100000, '[') + std::string(100000, ']') + "}";
  EXPECT_THAT(ErrorOf([&] { ReadDescription(JsonSource("d.json", text), 1); }),
              HasSubstr("d.json:1:75: nested too deep: expected at most 64 levels"));
}

TEST(ReadDescription, OneErrorEach) {
  const Bad cases[] = {
      {"/parity_description", 2, "/parity_description: wrong version: got 2, expected 1"},
      {"/bufers", json::object(), "unknown key: got \"bufers\", expected \"buffers\""},
      {"/context", 0, "/context: wrong value: got 0, expected a whole number of at least 1"},
      {"/context", 2000, "one sequence does not fit the pages: got 2000 tokens"},
      {"/vars/ranks", {{"max", 2}}, "reserved name"},
      {"/vars/spare", {{"max", 2}}, "declared and unused: variable spare"},
      {"/buffers/x/dtype", "f23", "unknown dtype: got \"f23\", expected \"f32\""},
      {"/buffers/x/dtype", 7, "/buffers/x/dtype: wrong value: got 7, expected a string"},
      {"/buffers/x/role", "workspcae", "unknown role: got \"workspcae\", expected \"workspace\""},
      {"/buffers/x/relicated", true, "got \"relicated\", expected \"replicated\""},
      {"/buffers/x/shape/0", "row", "unknown variable: got \"row\", expected a number or one of"},
      {"/buffers/x/shape/1", -1, "bad extent: got -1"},
      {"/buffers/x/shape/1", 0, "buffer x: empty: got 0, expected at least 1"},
      {"/buffers/x/shape/1", "256/2/2", "bad extent: got \"256/2/2\""},
      {"/buffers/tokens/domain/max", -1, "empty domain"},
      {"/buffers/next/scores", "logit", "unknown buffer: got \"logit\", expected \"logits\""},
      {"/buffers/x/scores", "logits", "scores of what is no decision"},
      {"/buffers/next/dtype", "f32", "a decision is an index: got \"f32\", expected an integer"},
      {"/programs/1/drafts", 0, "/programs/1/drafts: wrong value: got 0"},
      {"/buffers/qkv/slices/q/axis", 2, "no such axis: got 2, expected one below 2"},
      {"/buffers/qkv/slices/more",
       {{"axis", 1}, {"start", 200}, {"size", 100}},
       "slice qkv/more is not inside axis 1: got [200, 300), expected a part of [0, 256)"},
      {"/buffers/spare", {{"dtype", "f32"}, {"shape", {4}}}, "declared and unused: spare"},
      {"/states/k/shape/0", 32, "axis 0 of a paged state is the page: got 32"},
      {"/states/x", {{"dtype", "f32"}, {"shape", {4}}}, "a buffer has that name too"},
      {"/peers/peer_x/of", "xx", "unknown buffer or state: got \"xx\", expected \"x\""},
      {"/peers/spare", {{"of", "x"}}, "declared and unused: spare"},
      {"/programs/1/name", "../up", "/programs/1/name: bad name: got \"../up\""},
      {"/programs/1/name", std::string("a\0b", 3), "/programs/1/name: bad name"},
      {"/programs/1/name", "setup", "duplicate program: got \"setup\""},
      {"/programs/1/ops/1/label", "embed", "duplicate label in program prefill: got \"embed\""},
      {"/programs/1/ops/1/reads/0", "xx",
       "q names what is no buffer, state, slice or peer: got "
       "\"xx\", expected \"x\""},
      {"/programs/1/ops/4/writes/1", "table", "head writes a constant: got \"table\""},
      {"/programs/1/ops/4/writes/1", "tokens", "head writes an input: got \"tokens\""},
      {"/programs/1/ops/4/writes/1", "x", "head names an operand twice: got \"x\""},
      {"/programs/1/ops/0/reads/1", "qkv",
       "embed reads a workspace that its program has not "
       "written: got \"qkv\""},
      {"/programs/1/ops/2/writes/0", "qkv/q", "reduce reads a workspace that its program has not"},
      {"/programs/1/ops/4/writes/0", "qkv", "no program writes logits logits"},
      {"/programs/0/ops/0/op", "", "/programs/0/ops/0/op: wrong value"},
      {"/programs/0/ops/0/read", json::array(), "got \"read\", expected \"reads\""},
      {"/programs/0/ops/0/reads", "x", "wrong value: got \"x\", expected an array"},
  };
  for (const Bad& bad : cases) {
    SCOPED_TRACE(bad.pointer);
    json description = Good();
    description[json::json_pointer(bad.pointer)] = bad.value;
    EXPECT_THAT(Error(description), HasSubstr(bad.expected));
  }
}

TEST(ReadDescription, MissingKeysAreNamed) {
  for (const char* key :
       {"parity_description", "engine", "vars", "context", "buffers", "programs"}) {
    json description = Good();
    description.erase(key);
    EXPECT_THAT(Error(description), HasSubstr("missing key \"" + std::string(key) + "\""));
  }
  json unpaged = Good();
  unpaged.erase("paging");
  EXPECT_THAT(Error(unpaged), HasSubstr("a paged state without `paging`"));
  EXPECT_THAT(Error(json::array()), HasSubstr("not an object"));
}

TEST(ReadDescription, AllErrorsWithTheirLines) {
  const std::string text =
      "{\"parity_description\": 1, \"engine\": \"e\", \"context\": 1,\n"
      " \"vars\": {\"rows\": {\"max\": 1}, \"seqs\": {\"max\": 1}},\n"
      " \"buffers\": {\n"
      "  \"a\": {\"dtype\": \"f33\", \"shape\": [1], \"role\": \"output\"},\n"
      "  \"b\": {\"dtype\": \"f32\", \"shape\": [1], \"rule\": \"output\"}},\n"
      " \"programs\": [{\"name\": \"p\", \"ops\": [\n"
      "  {\"op\": \"o\", \"label\": \"l\", \"writes\": [\"a\", \"b\", \"c\"]}]}]}\n";
  const std::string error = ErrorOf([&] { ReadDescription(JsonSource("d.json", text), 1); });
  EXPECT_THAT(error, HasSubstr("d.json:4:18: /buffers/a/dtype: unknown dtype"));
  EXPECT_THAT(error, HasSubstr("d.json:5:47: /buffers/b/rule: unknown key"));
  EXPECT_THAT(error, HasSubstr("d.json:7:50: /programs/0/ops/0/writes/2: l names what is no"));
}

TEST(ReadDescription, SlicesOfWhatHasNoShape) {
  json description = Good();
  description["buffers"]["qkv"]["shape"] = json::array();
  EXPECT_THAT(Error(description), HasSubstr("no such axis: got 1, expected one below 0"));
  description["buffers"]["qkv"].erase("shape");
  EXPECT_THAT(Error(description), HasSubstr("/buffers/qkv: missing key \"shape\""));
}

TEST(ReadDescription, DuplicateKeysAndSyntax) {
  EXPECT_THAT(ErrorOf([] {
                JsonSource source("d.json", "{\"a\": 1,\n \"b\": {\"x\": 1}, \"a\": 2}");
                source.ThrowIfAny();
              }),
              HasSubstr("d.json:2:17: duplicate key \"a\""));
  EXPECT_THAT(ErrorOf([] { JsonSource("d.json", "{\"a\": 1,\n \"b\" 2}"); }),
              HasSubstr("d.json:2:6: not JSON"));
  EXPECT_THAT(ErrorOf([] { JsonSource("d.json", ""); }), HasSubstr("not JSON"));
  EXPECT_THAT(ErrorOf([] { JsonSource("d.json", "{\"a\": 1e999}"); }),
              HasSubstr("d.json: a number is too large for any double"));
  // The parser would stop there and not see the string that never ends.
  EXPECT_THAT(ErrorOf([] { JsonSource("d.json", std::string("8\n\0\"", 4)); }),
              HasSubstr("d.json:2:1: not JSON: it has a zero byte"));
  const TempFolder folder;
  EXPECT_THAT(ErrorOf([&] { ReadDescription(folder.Path("none.json"), 1); }),
              HasSubstr("none.json: cannot be read"));
}

TEST(Dim, Quotients) {
  EXPECT_EQ((Dim{"256", "ranks"}).Evaluate({{"ranks", 4}}), 64u);
  EXPECT_EQ((Dim{"rows", ""}).Evaluate({{"rows", 7}}), 7u);
  EXPECT_EQ((Dim{"12", "4"}).Evaluate({}), 3u);
  EXPECT_THROW((Dim{"7", "2"}).Evaluate({}), std::runtime_error);
  EXPECT_THROW((Dim{"7", "ranks"}).Evaluate({{"ranks", 0}}), std::runtime_error);
  EXPECT_EQ((Dim{"256", "ranks"}).Text(), "256/ranks");
}

}  // namespace
}  // namespace parity
