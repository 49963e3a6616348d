// Instructions that are carried out while a program runs whole.
#include "tests/side/executor_fixture.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Floats = std::vector<float>;

class ExecutorTapsTest : public ExecutorTest {
 protected:
  ExecutorTapsTest() {
    engine_.OfferTaps();
    engine_.on_tapped = [this](const std::vector<parity_tap>& taps,
                               const FakeEngine::TapCall& call) {
      for (std::uint32_t i = 0; i < taps.size(); ++i) {
        seen_.push_back(std::to_string(taps[i].op) + " " + taps[i].name);
        instructions_.push_back(progress_.instruction);
        if (taps[i].name == std::string("x")) engine_.Set<float>("x", {5, 6, 7, 8});
        const parity_status status = call(i, engine_.RegionOf(taps[i].name));
        if (status != PARITY_OK) return status;
      }
      return PARITY_OK;
    };
  }

  std::vector<std::string> seen_;
  std::vector<std::uint32_t> instructions_;
};

TEST_F(ExecutorTapsTest, AreCarriedOutAtTheirOpAndTensor) {
  Script script;
  script.Hold(kX, "before");
  script.RunTapped("decode", 9);
  script.At(7);
  const std::size_t y = script.Bytes(kY, Source::Live());
  script.At(3);
  const std::size_t different = script.Elements(kX, Source::Held("before"), Source::Live());
  script.Restore(kX, Source::Held("before"));
  script.At(std::nullopt);
  const std::size_t after = script.Elements(kX, Source::Held("before"), Source::Live());
  const Results results = Run(script);
  EXPECT_THAT(seen_, ElementsAre("3 x", "7 y"));
  EXPECT_THAT(engine_.calls, ElementsAre("create", "run_tapped decode", "synchronize"));
  EXPECT_EQ(results[y].bytes.size(), 16u);
  EXPECT_EQ(results[different].elements.different, 4u);
  EXPECT_TRUE(results[after].elements.Identical());
  EXPECT_THAT(engine_.Get<float>("x"), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(instructions_.front(), 2u);  // of the run, while no tap is served
}

TEST_F(ExecutorTapsTest, CannotReachAnotherTensor) {
  engine_.on_tapped = [this](const std::vector<parity_tap>&, const FakeEngine::TapCall& call) {
    return call(0, engine_.RegionOf("y"));
  };
  Script script;
  script.RunTapped("decode", 9);
  script.At(3);
  script.Hold(kX, "x");
  // The executor takes the region for the tap's; a size of another dtype gives it away.
  TensorRef wide = kX;
  wide.dtype = DType::kF64;
  wide.name = "x";
  script.Hold(wide, "wide");
  EXPECT_EQ(ErrorOf(script), "");
  engine_.on_tapped = [this](const std::vector<parity_tap>&, const FakeEngine::TapCall& call) {
    parity_region region = engine_.RegionOf("x");
    region.live_bytes = 12;
    return call(0, region);
  };
  EXPECT_THAT(ErrorOf(script), HasSubstr("x: 12 bytes are live, expected whole elements of 8"));
}

TEST_F(ExecutorTapsTest, ThatAreNotServedAreAnError) {
  engine_.on_tapped = [](const auto&, const auto&) { return PARITY_OK; };
  Script script;
  script.RunTapped("decode", 9);
  script.At(3);
  script.Hold(kX, "x");
  EXPECT_EQ(ErrorOf(script), "run_tapped: no callback for 'x' at op 3");
}

TEST_F(ExecutorTapsTest, ThatAreServedTwiceOrWereNotAskedForAreAnError) {
  for (const std::uint32_t second : {0u, 5u}) {
    engine_.on_tapped = [&](const auto&, const FakeEngine::TapCall& call) {
      call(0, engine_.RegionOf("x"));
      call(second, engine_.RegionOf("x"));
      return PARITY_OK;  // an engine that does not heed what the callback returns
    };
    Script script;
    script.RunTapped("decode", 9);
    script.At(3);
    script.Hold(kX, "x");
    EXPECT_EQ(ErrorOf(script), second == 0 ? "run_tapped: a second callback for 'x' at op 3"
                                           : "run_tapped: a callback for tap 5, there are 1");
  }
}

TEST_F(ExecutorTapsTest, AnErrorInsideOneEndsTheRunAndIsTold) {
  Script script;
  script.RunTapped("decode", 9);
  script.At(3);
  script.Restore(kX, Source::Held("nothing"));
  script.At(7);
  script.Hold(kY, "y");
  EXPECT_EQ(ErrorOf(script), "nothing is held as 'nothing'");
  EXPECT_THAT(seen_, ElementsAre("3 x"));
  // The next script reaches everything again.
  Script next;
  next.Hold(kY, "y");
  EXPECT_EQ(ErrorOf(next), "");
}

TEST_F(ExecutorTapsTest, OutsideARunAreAnError) {
  Script script;
  script.At(3);
  script.Hold(kX, "x");
  EXPECT_EQ(ErrorOf(script), "a tap on x in no run");
}

TEST_F(ExecutorTest, AnEngineWithoutTapsSaysSo) {
  Script script;
  script.RunTapped("decode", 9);
  try {
    Run(script);
    FAIL();
  } catch (const EngineError& error) {
    EXPECT_EQ(error.status(), PARITY_UNSUPPORTED);
    EXPECT_THAT(error.what(), HasSubstr("run_tapped: the engine does not offer it"));
  }
}

}  // namespace
}  // namespace parity
