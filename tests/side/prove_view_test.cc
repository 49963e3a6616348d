// A view that lies is caught, in each way in which it can lie.
#include "gtest_parity/side/prove_view.h"

#include "tests/side/view_fixture.h"

namespace parity {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ProveViewTest : public ViewTest {
 protected:
  ~ProveViewTest() override {
    // Whatever was found, the engine holds what it held.
    EXPECT_EQ(engine_.Get<float>("state.k"), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
  }
  // Runs the right import, then `lie`.
  void SpoilImport(std::function<void(const std::uint8_t*)> lie) {
    auto right = engine_.on_import;
    engine_.on_import = [=](const std::string& name, const std::uint8_t* in, std::uint64_t bytes) {
      right(name, in, bytes);
      lie(in);
      return PARITY_OK;
    };
  }
  void SpoilExport(std::function<void(std::uint8_t*)> lie) {
    auto right = engine_.on_export;
    engine_.on_export = [=](const std::string& name, std::uint8_t* out, std::uint64_t bytes) {
      right(name, out, bytes);
      lie(out);
      return PARITY_OK;
    };
  }
};

TEST_F(ProveViewTest, HonestViewsPass) {
  EXPECT_EQ(Proof(kCache), "");
  EXPECT_EQ(Proof(kQ), "");
  EXPECT_EQ(Proof(kTurnedK), "");
}

TEST_F(ProveViewTest, ImportInAnotherOrder) {
  engine_.on_import = [this](const std::string&, const std::uint8_t* in, std::uint64_t) {
    for (std::size_t i = 0; i < kHeld; ++i) std::memcpy(Row(kHeld - 1 - i), in + i * 8, 8);
    return PARITY_OK;
  };
  EXPECT_EQ(Proof(kCache),
            "import of what export gave does not give back the bytes: first at state.k[1, 0] of "
            "the engine, 2 and then 6");
}

// What it gave back were the same bytes, were it not for the pattern.
TEST_F(ProveViewTest, ImportThatDoesNothing) {
  engine_.on_import = [](const std::string&, const std::uint8_t*, std::uint64_t) {
    return PARITY_OK;
  };
  EXPECT_THAT(Proof(kCache),
              StartsWith("export of a pattern that was imported gives another: first at state.k[0, "
                         "0], "));
}

TEST_F(ProveViewTest, ImportDropsTheLastRow) {
  engine_.on_import = [this](const std::string&, const std::uint8_t* in, std::uint64_t) {
    for (std::size_t i = 0; i + 1 < kHeld; ++i) std::memcpy(Row(i), in + i * 8, 8);
    return PARITY_OK;
  };
  EXPECT_THAT(Proof(kCache), HasSubstr("imported gives another: first at state.k[2, 0]"));
}

TEST_F(ProveViewTest, ExportLeavesARowUnwritten) {
  engine_.on_export = [this](const std::string&, std::uint8_t* out, std::uint64_t) {
    for (std::size_t i = 0; i + 1 < kHeld; ++i) std::memcpy(out + i * 8, Row(i), 8);
    return PARITY_OK;
  };
  EXPECT_THAT(Proof(kCache), StartsWith("export does not write, or writes another value each time: "
                                        "first at state.k[2, 0], 0 and then "));
}

TEST_F(ProveViewTest, ExportMovesTheEngine) {
  SpoilExport([this](std::uint8_t*) { engine_.At<float>("state.k")[1] += 1; });
  EXPECT_THAT(Proof(kCache), StartsWith("export moves the engine's own memory: first at state.k[0, "
                                        "1] of the engine, 1 and then "));
}

TEST_F(ProveViewTest, ExportBeyondItsEnd) {
  SpoilExport([](std::uint8_t* out) { out[kHeld * 8] = 1; });
  EXPECT_EQ(Proof(kCache), "export writes beyond the 24 bytes that its description has");
}

TEST_F(ProveViewTest, ImportMovesWhatExportDoesNotShow) {
  SpoilImport([this](const std::uint8_t* in) {
    float first = 0;
    std::memcpy(&first, in, sizeof(first));
    if (first != 6) engine_.At<float>("state.k")[0] = 9;
  });
  EXPECT_THAT(Proof(kCache),
              StartsWith("import of a pattern moves what export does not show: first at state.k[0, "
                         "0] of the engine, 0 and then 9"));
}

// A NaN is what a conversion on the way would lose.
TEST_F(ProveViewTest, APoisonThatIsNotKept) {
  SpoilImport([this](const std::uint8_t*) {
    for (std::size_t i = 0; i < kHeld; ++i) {
      if (Row(i)[0] != Row(i)[0]) Row(i)[0] = 0;
    }
  });
  EXPECT_THAT(Proof(kCache), StartsWith("export of the first poison that was imported gives "
                                        "another: first at state.k[0, 0], nan and then 0"));
}

TEST_F(ProveViewTest, ImportMovesAnotherView) {
  watched_[2].views.push_back({"state.other", DType::kF32, {Fixed(1)}, true, std::nullopt, {}});
  executor_ = std::make_unique<Executor>(rank_, pages_, watched_, progress_);
  Stage();
  auto cache = engine_.on_export;
  engine_.on_export = [=, this](const std::string& name, std::uint8_t* out, std::uint64_t bytes) {
    if (name == "state.k") return cache(name, out, bytes);
    std::memcpy(out, Row(0), 4);
    return PARITY_OK;
  };
  EXPECT_EQ(Proof(kCache), "import moves what another view shows");
}

TEST_F(ProveViewTest, ErrorsOfTheEngineAreItsWords) {
  engine_.words = "no such layout";
  engine_.on_import = [](const std::string&, const std::uint8_t*, std::uint64_t) {
    return PARITY_FAILED;
  };
  EXPECT_EQ(Proof(kCache), "import_view: no such layout");
  engine_.api().import_view = nullptr;
  EXPECT_THAT(Proof(kCache), HasSubstr("offers no import_view"));
}

TEST_F(ProveViewTest, OnlyOfViews) {
  Script script;
  script.Prove(kX);
  EXPECT_EQ(ErrorOf(script), "x: no view to prove");
}

}  // namespace
}  // namespace parity
