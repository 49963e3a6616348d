#include <functional>

#include "tests/side/executor_fixture.h"

namespace parity {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Strays : public ExecutorTest {
 protected:
  std::vector<Stray> Find(std::function<void()> op, std::vector<std::string> allowed = {},
                          std::map<std::string, ElementRanges> within = {}) {
    engine_.on_run = [op](std::uint32_t, std::uint32_t) { op(); };
    Script script;
    script.Watch();
    script.Run("decode", 0, 1);
    const std::size_t strays = script.Strays(std::move(allowed), std::move(within));
    return Run(script)[strays].strays;
  }
  void WriteX(std::size_t i) { engine_.At<float>("x")[i] += 100; }
};

TEST_F(Strays, NothingWritten) {
  EXPECT_THAT(Find([] {}), IsEmpty());
}

TEST_F(Strays, WriteOutsideWhatIsAllowed) {
  const std::vector<Stray> strays = Find([this] { engine_.At<float>("state.k")[9] = 7; }, {"x"});
  ASSERT_THAT(strays, SizeIs(1));
  EXPECT_EQ(strays[0].tensor, "state.k");
  EXPECT_GE(strays[0].first_offset, 36u);
  EXPECT_LT(strays[0].first_offset, 40u);
  EXPECT_GE(strays[0].bytes, 1u);
  EXPECT_LE(strays[0].bytes, 4u);
}

TEST_F(Strays, AllowedIsFree) {
  EXPECT_THAT(Find([this] { WriteX(0); }, {"x"}), IsEmpty());
}

TEST_F(Strays, InsideAndOutsideTheWrittenSet) {
  const std::map<std::string, ElementRanges> within = {{"x", {{1, 2}}}};
  EXPECT_THAT(Find([this] { WriteX(1); }, {}, within), IsEmpty());
  const std::vector<Stray> strays = Find(
      [this] {
        WriteX(2);
        WriteX(3);
      },
      {}, within);
  ASSERT_THAT(strays, SizeIs(1));
  EXPECT_GE(strays[0].first_offset, 12u);
}

// A set of a larger tensor says nothing of what is not there.
TEST_F(Strays, WrittenSetBeyondTheTensor) {
  const std::map<std::string, ElementRanges> within = {{"x", {{0, 1}, {1 << 20, 9}}}};
  EXPECT_THAT(Find([this] { WriteX(0); }, {}, within), IsEmpty());
  EXPECT_THAT(Find([this] { WriteX(3); }, {}, within), SizeIs(1));
}

TEST_F(Strays, EveryTensorIsNamed) {
  const std::vector<Stray> strays = Find([this] {
    WriteX(0);
    engine_.At<std::int32_t>("y")[0] = -1;
    engine_.At<std::int32_t>("tokens")[0] = 1;
  });
  ASSERT_THAT(strays, SizeIs(3));
  EXPECT_EQ(strays[0].tensor, "x");
  EXPECT_EQ(strays[1].tensor, "y");
  EXPECT_EQ(strays[1].bytes, 4u);
  EXPECT_EQ(strays[2].tensor, "tokens");
}

// A constant of two pages and a bit, which is not kept but known by digests.
class StraysInConstants : public Strays {
 protected:
  static constexpr std::uint64_t kPage = 65536;

  StraysInConstants() {
    watched_.push_back({kW, false, true, {}, {}});
    engine_.Set<float>("w", std::vector<float>(2 * kPage / 4 + 5, 1.f));
  }
  void WriteW(std::size_t i) { engine_.At<float>("w")[i] += 1; }
  // After two watches, in each of which `op` runs.
  std::vector<Stray> FindInConstants(const std::function<void(std::uint32_t lo)>& op) {
    engine_.on_run = [op](std::uint32_t lo, std::uint32_t) { op(lo); };
    Script script;
    script.Watch();
    script.Run("decode", 0, 1);
    const std::size_t first = script.Strays({}, {});
    script.Watch();
    script.Run("decode", 1, 2);
    const std::size_t second = script.Strays({}, {});
    const std::size_t constants = script.ChangedConstants();
    const Results results = Run(script);
    EXPECT_THAT(results[first].strays, IsEmpty());
    EXPECT_THAT(results[second].strays, IsEmpty());
    return results[constants].strays;
  }

  static inline const TensorRef kW = {Kind::kBuffer, "w", DType::kF32};
};

TEST_F(StraysInConstants, AreKnownByTheirPage) {
  const std::vector<Stray> strays = FindInConstants([this](std::uint32_t) { WriteW(kPage / 4); });
  ASSERT_THAT(strays, SizeIs(1));
  EXPECT_EQ(strays[0].tensor, "w");
  EXPECT_TRUE(strays[0].whole_pages);
  EXPECT_EQ(strays[0].first_offset, kPage);
  EXPECT_EQ(strays[0].bytes, kPage);
  EXPECT_THAT(FindInConstants([](std::uint32_t) {}), IsEmpty()) << "found once";
}

TEST_F(StraysInConstants, TheLastPageIsAsLongAsItIs) {
  const std::vector<Stray> strays = FindInConstants([this](std::uint32_t) {
    WriteW(0);
    WriteW(2 * kPage / 4 + 4);
  });
  ASSERT_THAT(strays, SizeIs(1));
  EXPECT_EQ(strays[0].first_offset, 0u);
  EXPECT_EQ(strays[0].bytes, kPage + 20);
}

TEST_F(StraysInConstants, AreThoseOfAnyWatchSince) {
  for (const std::uint32_t guilty : {0u, 1u}) {
    EXPECT_THAT(FindInConstants([this, guilty](std::uint32_t lo) {
                  if (lo == guilty) WriteW(3);
                }),
                SizeIs(1));
  }
}

TEST_F(StraysInConstants, AreNotKnownBeforeAWatch) {
  Script script;
  const std::size_t constants = script.ChangedConstants();
  EXPECT_THAT(Run(script)[constants].strays, IsEmpty());
}

TEST_F(StraysInConstants, SizeThatChanges) {
  engine_.on_run = [&](std::uint32_t, std::uint32_t) { engine_.memory["w"].bytes.resize(20); };
  Script script;
  script.Watch();
  script.Run("decode", 0, 1);
  script.ChangedConstants();
  EXPECT_THAT(ErrorOf(script), HasSubstr("w: its live size changed during a run"));
}

TEST_F(Strays, SizeThatChanges) {
  engine_.on_run = [&](std::uint32_t, std::uint32_t) { engine_.memory["x"].bytes.resize(20); };
  Script script;
  script.Watch();
  script.Run("decode", 0, 1);
  script.Strays({}, {});
  EXPECT_THAT(ErrorOf(script), HasSubstr("x: its live size changed during a run"));
}

// What changes a tensor between two watches, and is no stray in the second.
struct Change {
  const char* name;
  std::function<void(Script& script, FakeEngine& engine)> make;
};

class StraysLater : public Strays, public testing::WithParamInterface<Change> {};

TEST_P(StraysLater, TheSecondWatchStartsFromThere) {
  Script script;
  script.Hold(kX, "x");
  script.Watch();
  script.Strays({}, {});
  engine_.on_run = [&](std::uint32_t lo, std::uint32_t) {
    if (lo == 7) engine_.At<float>("x")[0] += 1;
  };
  engine_.on_stage = [&](const parity_step&) { engine_.At<std::int32_t>("tokens")[0] += 1; };
  GetParam().make(script, engine_);
  script.Watch();
  script.Run("decode", 0, 1);
  const std::size_t strays = script.Strays({}, {});
  EXPECT_THAT(Run(script)[strays].strays, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Changes, StraysLater,
    testing::Values(
        Change{"restore",
               [](Script& script, FakeEngine& engine) {
                 engine.Set<float>("x", {5, 6, 7, 8});
                 script.Restore(kX, Source::Held("x"));
               }},
        Change{"poison", [](Script& script, FakeEngine&) { script.Poison(kX, 0, std::nullopt); }},
        Change{"stage",
               [](Script& script, FakeEngine&) { script.Stage(std::make_shared<const Step>()); }},
        Change{"reset", [](Script& script, FakeEngine&) { script.Reset(); }},
        Change{"unwatched_run", [](Script& script, FakeEngine&) { script.Run("decode", 7, 8); }}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(Strays, AStrayIsFoundOnce) {
  EXPECT_THAT(Find([this] { WriteX(0); }), SizeIs(1));
  EXPECT_THAT(Find([] {}), IsEmpty());
}

// After a failed script the copies may be old.
TEST_F(Strays, AFailureInBetween) {
  EXPECT_THAT(Find([] {}), IsEmpty());
  engine_.on_run = [this](std::uint32_t, std::uint32_t) { WriteX(0); };
  engine_.run_status = PARITY_FAILED;
  Script failing;
  failing.Watch();
  failing.Run("decode", 0, 1);
  EXPECT_THROW(Run(failing), EngineError);
  engine_.run_status = PARITY_OK;
  EXPECT_THAT(Find([] {}), IsEmpty());
}

TEST_F(Strays, WithoutAWatch) {
  Script script;
  script.Strays({}, {});
  EXPECT_NE(ErrorOf(script), "");
}

}  // namespace
}  // namespace parity
