// Everything that a script does, through views.
#include "gtest_parity/side/view_access.h"

#include "tests/side/view_fixture.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(StepVars, CountsWhatSequencesHold) {
  Step step;
  step.tokens = {1, 2, 3};
  step.sequences = {{0, 10, 1, {}}, {3, 0, 2, {}}};
  EXPECT_EQ(StepVars(step), (Vars{{"rows", 3}, {"seqs", 2}, {"kv_tokens", 13}}));
}

TEST_F(ViewTest, ShowsPartsTurnedAndWidened) {
  EXPECT_THAT(Shown<float>(kQ), ElementsAre(0, 1, 6, 7));
  EXPECT_THAT(Shown<std::uint16_t>(kTurnedK), ElementsAre(Bf16(2), Bf16(8), Bf16(3), Bf16(9)));
  EXPECT_THAT(Shown<float>(kCache), ElementsAre(6, 7, 4, 5, 2, 3));
}

TEST_F(ViewTest, KeepsHoldsAndRestoresThem) {
  Script script;
  const std::size_t kept = script.Keep(kQ);
  script.Hold(kTurnedK, "k");
  const Image image = Run(script)[kept].image;
  EXPECT_EQ(image.bytes, 16u);
  const auto before = engine_.Get<std::uint16_t>("qkv");
  engine_.Set<std::uint16_t>("qkv", std::vector<std::uint16_t>(12, Bf16(99)));
  Script back;
  back.Restore(kQ, Source::Of(image));
  back.Restore(kTurnedK, Source::Held("k"));
  Run(back);
  auto after = before;
  for (const std::size_t i : {4, 5, 10, 11}) after[i] = Bf16(99);  // head 2 is nobody's
  EXPECT_EQ(engine_.Get<std::uint16_t>("qkv"), after);
}

TEST_F(ViewTest, ComparesInTheViewsCoordinates) {
  Script script;
  script.Hold(kQ, "q");
  Run(script);
  engine_.At<std::uint16_t>("qkv")[7] = Bf16(8);
  Script compare;
  compare.Elements(kQ, Source::Held("q"), Source::Live());
  const Result result = Run(compare)[0];
  EXPECT_EQ(result.elements.different, 1u);
  EXPECT_EQ(result.elements.first_index, 3u);
  EXPECT_EQ(result.worst_values, (std::pair<std::string, std::string>{"7", "8"}));
}

TEST_F(ViewTest, PoisonIsOneThatBothDtypesHold) {
  Script script;
  script.Poison(kQ, 0, std::nullopt);
  script.Hold(kQ, "first");
  script.Poison(kQ, 1, std::nullopt);
  script.Hold(kQ, "second");
  const std::size_t all =
      script.Unwritten(kQ, Source::Held("first"), Source::Held("second"), std::nullopt);
  EXPECT_EQ(Run(script)[all].count, 4u);
  const auto qkv = engine_.Get<std::uint16_t>("qkv");
  EXPECT_EQ(qkv[0], Poison(DType::kBF16, PoisonKind::kLargeFinite));
  EXPECT_EQ(qkv[2], Bf16(2)) << "k is not q";
}

// f32 values that bf16 does not hold: nothing is rounded, nothing is written, and it is said.
TEST_F(ViewTest, NeverRounds) {
  const auto before = engine_.Get<std::uint16_t>("qkv");
  engine_.Set<float>("x", {1, 2, 1.00000012f, 1.1f});
  Script script;
  script.Hold(kX, "x");
  const std::size_t restored = script.Restore(kQ, Source::Held("x"));
  EXPECT_EQ(Run(script)[restored].words,
            "q[1, 0] is 1.00000012, which bf16 does not hold, nor 1 others");
  EXPECT_EQ(engine_.Get<std::uint16_t>("qkv"), before);
}

TEST_F(ViewTest, ANarrowerViewOfWhatItDoesNotHoldIsAnError) {
  watched_[0].shape = {Fixed(4)};
  watched_[0].views = {{"narrow", DType::kBF16, {Fixed(4)}, false, std::nullopt, {}}};
  executor_ = std::make_unique<Executor>(rank_, pages_, watched_, progress_);
  const TensorRef narrow = {Kind::kBuffer, "narrow", DType::kBF16};
  EXPECT_THAT(Shown<std::uint16_t>(narrow), ElementsAre(Bf16(1), Bf16(2), Bf16(3), Bf16(4)));
  engine_.At<float>("x")[2] = 3.0001f;
  Script script;
  script.Bytes(narrow, Source::Live());
  EXPECT_THAT(ErrorOf(script), HasSubstr("x cannot be seen as its description has it: narrow[2] is "
                                         "3.0000999"));
}

TEST_F(ViewTest, OtherSizesAreErrors) {
  Script script;
  script.Bytes(kQ, Source::Live());
  engine_.memory["qkv"].bytes.resize(20);
  EXPECT_EQ(ErrorOf(script), "qkv: 20 bytes are live, its description has 24");
  script = Script();
  script.Hold(kX, "x");
  script.Restore(kCache, Source::Held("x"));
  EXPECT_EQ(ErrorOf(script), "state.k: 24 bytes are live, the reference had 16");
}

TEST_F(ViewTest, AnEngineWithoutTheCallsSaysSo) {
  engine_.api().export_view = nullptr;
  Script script;
  script.Bytes(kCache, Source::Live());
  EXPECT_EQ(ErrorOf(script),
            "its description declares view 'state.k' to be by the engine, which offers no "
            "export_view");
}

class ViewStrays : public ViewTest {
 protected:
  std::vector<Stray> Find(std::function<void()> op, std::vector<std::string> allowed = {},
                          std::map<std::string, ElementRanges> within = {}) {
    engine_.on_run = [op](std::uint32_t, std::uint32_t) { op(); };
    Script script;
    script.Watch();
    script.Run("decode", 0, 1);
    const std::size_t strays = script.Strays(std::move(allowed), std::move(within));
    const std::vector<Stray> found = Run(script)[strays].strays;
    return found;
  }
  void WriteQkv(std::size_t i) { engine_.At<std::uint16_t>("qkv")[i] = Bf16(50); }
};

TEST_F(ViewStrays, AreNamedAsTheyAreSeen) {
  const std::vector<Stray> strays = Find([this] { WriteQkv(9); });
  ASSERT_THAT(strays, SizeIs(1));
  EXPECT_EQ(strays[0].tensor, "k");
  EXPECT_EQ(strays[0].first_offset / 2, 3u) << "k[1, 1]";
}

TEST_F(ViewStrays, AllowedAndWithinAreOfTheView) {
  EXPECT_THAT(Find([this] { WriteQkv(0); }, {"q"}), IsEmpty());
  EXPECT_THAT(Find([this] { WriteQkv(6); }, {"k"}), SizeIs(1));
  const std::map<std::string, ElementRanges> within = {{"q", {{0, 1}}}};
  EXPECT_THAT(Find([this] { WriteQkv(0); }, {}, within), IsEmpty());
  const std::vector<Stray> strays = Find([this] { WriteQkv(1), WriteQkv(0); }, {}, within);
  ASSERT_THAT(strays, SizeIs(1));
  EXPECT_EQ(strays[0].first_offset / 4, 1u);
}

TEST_F(ViewStrays, WhatNoViewShowsIsWatchedToo) {
  const std::vector<Stray> strays = Find([this] { WriteQkv(4), WriteQkv(0); }, {"q", "k"});
  ASSERT_THAT(strays, SizeIs(1));
  EXPECT_EQ(strays[0].tensor, "qkv/rest");
  EXPECT_EQ(strays[0].first_offset / 2, 4u);
  EXPECT_EQ(engine_.At<std::uint16_t>("qkv")[0], Bf16(50)) << "looking leaves it as it is";
  EXPECT_THAT(Find([this] { WriteQkv(5); }, {"qkv/rest"}), IsEmpty());
  const std::vector<Stray> cache =
      Find([this] { engine_.At<float>("state.k")[0] = 9; }, {"state.k"});
  ASSERT_THAT(cache, SizeIs(1));
  EXPECT_EQ(cache[0].tensor, "state.k/rest");
}

// A view shows other bytes at another step: what was seen before it is no measure.
TEST_F(ViewStrays, AnotherStepIsLookedAtAfresh) {
  EXPECT_THAT(Find([] {}), IsEmpty());
  WriteQkv(0);
  Row(1)[0] = 77;
  Stage();
  EXPECT_THAT(Find([] {}), IsEmpty());
}

}  // namespace
}  // namespace parity
