#include "gtest_parity/side/executor.h"

#include <cmath>
#include <cstring>

#include "tests/side/executor_fixture.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

TEST_F(ExecutorTest, StageHandsOverTheStep) {
  Step step{.program = "decode",
            .run = "b1/decode#0",
            .tokens = {3, 4, 5},
            .positions = {8, 9, 0},
            .sequences = {{2, 8, 2, {5, 1}}, {0, 0, 1, {}}}};
  int staged = 0;
  engine_.on_stage = [&](const parity_step& at) {
    ++staged;
    EXPECT_EQ(at.struct_size, sizeof(parity_step));
    EXPECT_STREQ(at.program, "decode");
    EXPECT_STREQ(at.run, "b1/decode#0");
    EXPECT_THAT(std::vector<int>(at.tokens, at.tokens + at.rows), ElementsAre(3, 4, 5));
    EXPECT_THAT(std::vector<int>(at.positions, at.positions + at.rows), ElementsAre(8, 9, 0));
    ASSERT_EQ(at.sequence_count, 2u);
    const parity_sequence& first = at.sequences[0];
    EXPECT_EQ(first.struct_size, sizeof(parity_sequence));
    EXPECT_EQ(first.slot, 2u);
    EXPECT_EQ(first.past, 8u);
    EXPECT_EQ(first.rows, 2u);
    EXPECT_THAT(std::vector<int>(first.pages, first.pages + first.page_count), ElementsAre(5, 1));
    EXPECT_EQ(at.sequences[1].pages, nullptr);
    EXPECT_EQ(at.sequences[1].page_count, 0u);
  };
  Script script;
  script.Stage(std::make_shared<const Step>(step));
  Run(script);
  EXPECT_EQ(staged, 1);
}

TEST_F(ExecutorTest, RestoresWhatItIsAskedToAndNothingElse) {
  Script script;
  script.Hold(kX, "x");
  Run(script);
  engine_.Set<float>("x", {9, 9, 9, 9});
  Script part;
  part.Restore(kX, Source::Held("x"), ElementRanges{{1, 2}});
  Run(part);
  EXPECT_THAT(engine_.Get<float>("x"), ElementsAre(9, 2, 3, 9));
  Script beyond;
  beyond.Restore(kX, Source::Held("x"), ElementRanges{{3, 2}});
  EXPECT_EQ(ErrorOf(beyond), "x: elements up to 5 to be restored, it has 4");
}

TEST_F(ExecutorTest, RunsAndResets) {
  std::vector<std::uint32_t> at;
  engine_.on_run = [&](std::uint32_t, std::uint32_t) { at.push_back(progress_.instruction); };
  Script script;
  script.Reset();
  script.Run("decode", 1, 3);
  script.RunWhole("prefill", 9);
  const Results results = Run(script);
  EXPECT_THAT(engine_.calls, ElementsAre("create", "reset", "run decode 1 3", "synchronize",
                                         "run prefill 0 9", "synchronize"));
  EXPECT_THAT(at, ElementsAre(2, 3));
  EXPECT_EQ(progress_.instruction, 0u);
  EXPECT_EQ(results[0].seconds, 0);
  EXPECT_GE(results[1].seconds, 0);
  EXPECT_EQ(engine_.Get<float>("x"), Floats({0, 0, 0, 0}));
}

TEST_F(ExecutorTest, AnErrorLeavesTheInstructionForTheReport) {
  engine_.run_status = PARITY_OUT_OF_MEMORY;
  engine_.words = "full";
  Script script;
  script.Digest(kX, Source::Live());
  script.Run("decode", 0, 1);
  script.Digest(kX, Source::Live());
  try {
    Run(script);
    FAIL() << "an engine that fails went on";
  } catch (const EngineError& error) {
    EXPECT_EQ(error.status(), PARITY_OUT_OF_MEMORY);
    EXPECT_STREQ(error.what(), "run: full");
  }
  EXPECT_EQ(progress_.instruction, 2u);
}

TEST_F(ExecutorTest, HeldCopiesAreOfTheirMoment) {
  engine_.on_run = [&](std::uint32_t, std::uint32_t) { engine_.At<float>("x")[2] = 99; };
  Script script;
  script.Hold(kX, "before");
  script.Run("decode", 0, 1);
  const std::size_t held = script.Bytes(kX, Source::Held("before"));
  const std::size_t live = script.Bytes(kX, Source::Live());
  script.Restore(kX, Source::Held("before"));
  const Results results = Run(script);
  float values[4];
  std::memcpy(values, results[held].bytes.data(), sizeof(values));
  EXPECT_THAT(values, ElementsAre(1, 2, 3, 4));
  std::memcpy(values, results[live].bytes.data(), sizeof(values));
  EXPECT_THAT(values, ElementsAre(1, 2, 99, 4));
  EXPECT_EQ(engine_.Get<float>("x"), Floats({1, 2, 3, 4}));
}

TEST_F(ExecutorTest, HeldCopiesOutliveTheScript) {
  Script first, second;
  first.Hold(kX, "mine");
  Run(first);
  engine_.Set<float>("x", {0, 0, 0, 0});
  second.Restore(kX, Source::Held("mine"));
  Run(second);
  EXPECT_EQ(engine_.Get<float>("x"), Floats({1, 2, 3, 4}));
}

TEST_F(ExecutorTest, ImagesAreKeptAndRestored) {
  Script keep;
  keep.Keep(kX);
  keep.Keep(kK);
  const Results kept = Run(keep);
  EXPECT_FALSE(kept[0].exhausted);
  EXPECT_EQ(kept[0].image.bytes, 16u);
  EXPECT_EQ(kept[1].image.bytes, 256u);
  engine_.Set<float>("x", {9, 9, 9, 9});
  engine_.Set<float>("state.k", Floats(64, 9));
  Script restore;
  restore.Restore(kX, Source::Of(kept[0].image));
  restore.Restore(kK, Source::Of(kept[1].image));
  Run(restore);
  EXPECT_EQ(engine_.Get<float>("x"), Floats({1, 2, 3, 4}));
  EXPECT_EQ(engine_.Get<float>("state.k"), Floats(64, 0.5f));
}

TEST_F(ExecutorTest, TheNextImageSharesUnchangedPages) {
  Script script;
  script.Keep(kX);
  script.Keep(kX);
  const Results same = Run(script);
  EXPECT_EQ(same[0].image.pages, same[1].image.pages);
  engine_.Set<float>("x", {1, 2, 3, 5});
  const Results other = Run(script);
  EXPECT_NE(other[0].image.pages, same[0].image.pages);
}

TEST(Executor, RecordingThatIsFull) {
  FakeEngine engine;
  engine.Set<float>("x", {1, 2});
  PageStore none({}, true);
  RankProgress progress;
  const std::vector<WatchedTensor> watched;
  Rank rank(engine.api(), engine.args());
  Executor executor(rank, none, watched, progress);
  Script script;
  script.Keep(kX);
  const Results results = executor.Execute(script.instructions());
  EXPECT_TRUE(results[0].exhausted);
  EXPECT_EQ(results[0].image.bytes, 0u);
}

TEST_F(ExecutorTest, Poisons) {
  Script script;
  script.Poison(kX, 0, std::nullopt);
  script.Poison(kY, 0, ValueRange{-3, 5});
  Run(script);
  for (const float value : engine_.Get<float>("x")) EXPECT_TRUE(std::isnan(value));
  const Ints first = engine_.Get<std::int32_t>("y");
  Script other;
  other.Poison(kX, 1, std::nullopt);
  other.Poison(kY, 1, ValueRange{-3, 5});
  Run(other);
  for (const float value : engine_.Get<float>("x")) {
    EXPECT_TRUE(std::isfinite(value));
    EXPECT_GT(std::fabs(value), 1e6f);
  }
  const Ints second = engine_.Get<std::int32_t>("y");
  const std::int32_t low = std::min(first[0], second[0]), high = std::max(first[0], second[0]);
  EXPECT_EQ(low, -3);
  EXPECT_EQ(high, 5);
  EXPECT_EQ(first, Ints(4, first[0]));
}

TEST_F(ExecutorTest, Elements) {
  engine_.on_run = [&](std::uint32_t, std::uint32_t) {
    engine_.At<float>("x")[1] = 2.5f;
    engine_.At<float>("x")[3] = NAN;
  };
  Script script;
  script.Hold(kX, "before");
  const std::size_t same = script.Elements(kX, Source::Held("before"), Source::Live());
  script.Run("decode", 0, 1);
  const std::size_t all = script.Elements(kX, Source::Held("before"), Source::Live());
  const std::size_t some =
      script.Elements(kX, Source::Held("before"), Source::Live(), ElementRanges{{0, 1}, {2, 1}});
  const std::size_t end =
      script.Elements(kX, Source::Held("before"), Source::Live(), ElementRanges{{1, 1}, {3, 1}});
  const std::size_t none =
      script.Elements(kX, Source::Held("before"), Source::Live(), ElementRanges{});
  const Results results = Run(script);
  EXPECT_EQ(results[same].elements.compared, 4u);
  EXPECT_TRUE(results[same].elements.Identical());
  EXPECT_FALSE(results[same].worst_values.has_value());
  EXPECT_EQ(results[all].elements.different, 2u);
  EXPECT_EQ(results[all].elements.nan_only_candidate, 1u);
  EXPECT_EQ(results[all].elements.first_index, 1u);
  EXPECT_EQ(results[all].worst_values->first, "4");
  EXPECT_THAT(results[all].worst_values->second, HasSubstr("nan"));
  EXPECT_EQ(results[some].elements.compared, 2u);
  EXPECT_TRUE(results[some].elements.Identical());
  // Indices are the tensor's, not the ranges'.
  EXPECT_EQ(results[end].elements.first_index, 1u);
  EXPECT_EQ(results[end].elements.worst_index, 3u);
  EXPECT_EQ(results[none].elements.compared, 0u);
}

// Asked at once, each is what it is when something parts it from the others.
TEST_F(ExecutorTest, ElementsTogetherAreElementsApart) {
  Script hold;
  for (const TensorRef& tensor : {kX, kY, kK}) hold.Hold(tensor, tensor.name);
  Run(hold);
  engine_.At<float>("x")[2] = -3;
  engine_.At<std::int32_t>("y")[1] = 21;
  engine_.At<float>("state.k")[63] = INFINITY;
  Script together, apart;
  std::vector<std::size_t> indices;
  for (const TensorRef& tensor : {kX, kK, kY, kX, kK}) {
    together.Elements(tensor, Source::Held(tensor.name), Source::Live());
    indices.push_back(apart.Elements(tensor, Source::Held(tensor.name), Source::Live()));
    apart.Digest(tensor, Source::Live());
  }
  const Results at_once = Run(together), one_by_one = Run(apart);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    EXPECT_EQ(at_once[i].elements, one_by_one[indices[i]].elements) << i;
    EXPECT_EQ(at_once[i].worst_values, one_by_one[indices[i]].worst_values) << i;
    EXPECT_EQ(at_once[i].elements.different, 1u) << i;
  }
}

// One of them that cannot be made ends the script, and names the tensor.
TEST_F(ExecutorTest, ElementsTogetherFailWithTheTensorsName) {
  Script script;
  script.Hold(kX, "x");
  script.Hold(kK, "k");
  script.Elements(kX, Source::Held("x"), Source::Live());
  script.Elements(kX, Source::Held("k"), Source::Live());
  EXPECT_THAT(ErrorOf(script), HasSubstr("x: 16 bytes, the reference had 256"));
}

TEST_F(ExecutorTest, WorstValuesOfIntegersAndBytes) {
  const TensorRef bytes = {Kind::kBuffer, "y", DType::kBytes};
  Script script;
  script.Hold(kY, "before");
  script.Hold(bytes, "bytes");
  Run(script);
  engine_.At<std::int32_t>("y")[2] = -7;
  Script compare;
  compare.Elements(kY, Source::Held("before"), Source::Live());
  compare.Elements(bytes, Source::Held("bytes"), Source::Live());
  const Results results = Run(compare);
  EXPECT_EQ(results[0].worst_values, std::make_pair(std::string("30"), std::string("-7")));
  EXPECT_EQ(results[1].worst_values, std::make_pair(std::string("0x1e"), std::string("0xf9")));
  EXPECT_EQ(results[1].elements.first_index, 8u);
}

TEST_F(ExecutorTest, Rows) {
  Script script;
  script.Hold(kX, "before");
  const std::size_t same = script.Rows(kX, 2, Source::Held("before"), Source::Live());
  const Results results = Run(script);
  ASSERT_EQ(results[same].rows.size(), 2u);
  EXPECT_TRUE(results[same].rows[0].identical);
  engine_.Set<float>("x", {1, 2, 5, 4});
  Script again;
  again.Rows(kX, 2, Source::Held("before"), Source::Live());
  const std::vector<RowStats> rows = Run(again)[0].rows;
  EXPECT_TRUE(rows[0].identical);
  EXPECT_TRUE(rows[1].Flip());
  EXPECT_GT(rows[1].kl, 0);
}

// y holds choices of two among the four scores that x held before.
TEST_F(ExecutorTest, DecisionsAreScoredByTheReference) {
  engine_.Set<std::int32_t>("y", {3, 1});
  Script script;
  script.Hold(kY, "choices");
  script.Hold(kX, "scores");
  Run(script);
  engine_.Set<std::int32_t>("y", {3, 0});
  engine_.Set<float>("x", {9, 9, 9, 9});
  Script again;
  const Source choices = Source::Held("choices");
  again.Decisions(kY, choices, Source::Live(), kX, 4, Source::Held("scores"));
  again.Decisions(kY, choices, Source::Live(), {}, 0, Source::Live());
  again.Decisions(kY, choices, choices, kX, 4, Source::Held("scores"));
  const Results results = Run(again);
  EXPECT_EQ(results[0].decisions, (DecisionStats{2, {{1, 1, 0, 1.0}}}));
  EXPECT_EQ(results[1].decisions, (DecisionStats{2, {{1, 1, 0, HUGE_VAL}}}));
  EXPECT_EQ(results[2].decisions, (DecisionStats{2, {}}));
  Script ragged, resized;
  ragged.Decisions(kY, choices, Source::Live(), kX, 3, Source::Held("scores"));
  EXPECT_THAT(ErrorOf(ragged), HasSubstr("x: 4 elements, expected whole rows of 3"));
  engine_.Set<std::int32_t>("y", {3});
  resized.Decisions(kY, choices, Source::Live(), kX, 4, Source::Held("scores"));
  EXPECT_THAT(ErrorOf(resized), HasSubstr("y: 4 bytes, the reference had 8"));
}

// An op that writes elements 1 and 2 of `x` only.
TEST_F(ExecutorTest, WrittenAndUnwritten) {
  engine_.on_run = [&](std::uint32_t, std::uint32_t) {
    engine_.At<float>("x")[1] = 5;
    engine_.At<float>("x")[2] = 6;
  };
  Script script;
  for (const std::uint32_t which : {0u, 1u}) {
    script.Poison(kX, which, std::nullopt);
    script.Run("decode", 0, 1);
    script.Hold(kX, "repeat " + std::to_string(which));
  }
  const Source first = Source::Held("repeat 0"), second = Source::Held("repeat 1");
  const std::size_t written = script.Written(kX, first, second, std::nullopt);
  const std::size_t unwritten = script.Unwritten(kX, first, second, std::nullopt);
  const std::size_t inside =
      script.Unwritten(kX, first, second, std::nullopt, ElementRanges{{1, 2}});
  const std::size_t part = script.Unwritten(kX, first, second, std::nullopt, ElementRanges{{2, 2}});
  const std::size_t within = script.ElementsWithin(kX, first, second, written);
  const Results results = Run(script);
  EXPECT_EQ(results[written].ranges, ElementRanges({{1, 2}}));
  EXPECT_EQ(results[written].count, 2u);
  EXPECT_EQ(results[unwritten].ranges, ElementRanges({{0, 1}, {3, 1}}));
  EXPECT_EQ(results[unwritten].count, 2u);
  EXPECT_EQ(results[inside].count, 0u);
  EXPECT_THAT(results[inside].ranges, IsEmpty());
  EXPECT_EQ(results[part].ranges, ElementRanges({{3, 1}}));
  EXPECT_EQ(results[within].elements.compared, 2u);
  EXPECT_TRUE(results[within].elements.Identical());
}

TEST_F(ExecutorTest, ChangedBlocks) {
  engine_.on_run = [&](std::uint32_t, std::uint32_t) {
    engine_.At<float>("state.k")[17] = 8;
    engine_.At<float>("state.k")[63] = 8;
  };
  Script script;
  script.Hold(kK, "before");
  const std::size_t none = script.Changed(kK, Source::Held("before"), Source::Live());
  script.Run("decode", 0, 1);
  const std::size_t some = script.Changed(kK, Source::Held("before"), Source::Live());
  const Results results = Run(script);
  EXPECT_THAT(results[none].ranges, IsEmpty());
  EXPECT_EQ(results[none].count, 0u);
  EXPECT_EQ(results[some].ranges, ElementRanges({{16, 16}, {48, 16}}));
  EXPECT_EQ(results[some].count, 32u);
}

TEST_F(ExecutorTest, Domains) {
  Script script;
  const std::size_t inside = script.CheckDomain(kY, Source::Live(), {10, 40});
  const std::size_t outside = script.CheckDomain(kY, Source::Live(), {15, 35});
  const Results results = Run(script);
  EXPECT_TRUE(results[inside].outside.None());
  EXPECT_EQ(results[inside].count, 4u);
  EXPECT_EQ(results[outside].outside.count, 2u);
  EXPECT_EQ(results[outside].outside.first_index, 0u);
  EXPECT_EQ(results[outside].outside.first_value, 10);
}

TEST_F(ExecutorTest, DigestsTellBytesApart) {
  Script script;
  script.Digest(kX, Source::Live());
  script.Hold(kX, "copy");
  script.Digest(kX, Source::Held("copy"));
  const Results results = Run(script);
  EXPECT_EQ(results[0].digest.size(), 32u);
  EXPECT_EQ(results[0].digest, results[2].digest);
  EXPECT_EQ(results[0].count, 16u);
  engine_.At<float>("x")[0] = 1.5f;
  EXPECT_NE(Run(script)[0].digest, results[0].digest);
}

struct Refused {
  const char* name;
  void (*build)(Script& script);
  const char* words;
};

class ExecutorRefuses : public ExecutorTest, public testing::WithParamInterface<Refused> {};

// `x` has 16 bytes, `state.k` has 256, "large" is a copy of the latter.
TEST_P(ExecutorRefuses, WhatDoesNotFit) {
  Script script;
  script.Hold(kK, "large");
  GetParam().build(script);
  EXPECT_THAT(ErrorOf(script), HasSubstr(GetParam().words));
  EXPECT_EQ(progress_.instruction, script.instructions().size());
}

const Source kLarge = Source::Held("large");

INSTANTIATE_TEST_SUITE_P(
    Sizes, ExecutorRefuses,
    testing::Values(
        Refused{"restore", [](Script& s) { s.Restore(kX, kLarge); },
                "x: 16 bytes are live, the reference had 256"},
        Refused{"elements", [](Script& s) { s.Elements(kX, kLarge, Source::Live()); },
                "x: 16 bytes, the reference had 256"},
        Refused{"rows", [](Script& s) { s.Rows(kX, 2, kLarge, Source::Live()); },
                "x: 16 bytes against 256, expected the same number of rows of 2 f32"},
        Refused{"columns", [](Script& s) { s.Rows(kX, 3, Source::Live(), Source::Live()); },
                "expected the same number of rows of 3 f32"},
        Refused{"no_columns", [](Script& s) { s.Rows(kX, 0, Source::Live(), Source::Live()); },
                "expected the same number of rows of 0 f32"},
        Refused{"unwritten",
                [](Script& s) { s.Unwritten(kX, kLarge, Source::Live(), std::nullopt); },
                "x: its size changed between two repeats"},
        Refused{"written", [](Script& s) { s.Written(kX, kLarge, Source::Live(), std::nullopt); },
                "x: its size changed between two repeats"},
        Refused{"changed", [](Script& s) { s.Changed(kX, kLarge, Source::Live()); },
                "x: its size changed during a run"},
        Refused{"held", [](Script& s) { s.Digest(kX, Source::Held("nobody")); },
                "nothing is held as 'nobody'"},
        Refused{"range_end",
                [](Script& s) {
                  s.Elements(kX, Source::Live(), Source::Live(), ElementRanges{{2, 3}});
                },
                "x: elements 2 to 5 asked for, it has 4"},
        Refused{
            "range_overflow",
            [](Script& s) {
              s.Elements(kX, Source::Live(), Source::Live(), ElementRanges{{2, ~std::uint64_t{0}}});
            },
            "it has 4"},
        Refused{
            "unwritten_range",
            [](Script& s) {
              s.Unwritten(kX, Source::Live(), Source::Live(), std::nullopt, ElementRanges{{5, 1}});
            },
            "x: elements 5 to 6 asked for, it has 4"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(ExecutorTest, UnknownTensorIsTheEnginesError) {
  Script script;
  script.Digest({Kind::kState, "x", DType::kF32}, Source::Live());
  try {
    Run(script);
    FAIL() << "a buffer was taken for a state";
  } catch (const EngineError& error) {
    EXPECT_EQ(error.status(), PARITY_INVALID);
    EXPECT_STREQ(error.what(), "region: no tensor x");
  }
}

TEST_F(ExecutorTest, MemoryItCannotRead) {
  Script script;
  script.Digest(kX, Source::Live());
  engine_.memory["x"].kind = PARITY_MEMORY_CUDA;
  EXPECT_THAT(ErrorOf(script), HasSubstr("x: lies in memory kind 1, expected host memory"));
  engine_.memory["x"].kind = PARITY_MEMORY_HOST;
  engine_.memory["x"].bytes.resize(15);
  EXPECT_THAT(ErrorOf(script), HasSubstr("x: 15 bytes are live, expected whole elements of 4"));
}

TEST_F(ExecutorTest, EmptyTensors) {
  engine_.memory["x"].bytes = {};
  Script script;
  script.Keep(kX);
  script.Hold(kX, "nothing");
  script.Poison(kX, 0, std::nullopt);
  script.Elements(kX, Source::Held("nothing"), Source::Live());
  script.Unwritten(kX, Source::Held("nothing"), Source::Live(), std::nullopt);
  script.Changed(kX, Source::Held("nothing"), Source::Live());
  script.Restore(kX, Source::Held("nothing"));
  script.Bytes(kX, Source::Live());
  script.Watch();
  script.Strays({}, {});
  const Results results = Run(script);
  EXPECT_EQ(results[3].elements.compared, 0u);
  EXPECT_THAT(results[7].bytes, IsEmpty());
}

TEST_F(ExecutorTest, ImageThatIsNotInTheRecording) {
  Script script;
  script.Restore(kX, Source::Of(Image{16, {kChunkBytes}}));
  EXPECT_THROW(Run(script), std::out_of_range);
}

}  // namespace
}  // namespace parity
