// Engines that can be driven in order only, or in whole programs only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "gtest_parity/engine/error.h"
#include "tests/engines/tiny_driver.h"

namespace parity {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

const Tokens kPrompt = {5, 6, 7, 8};

// The error that `body` ends with, as "refused: words"; empty if there is none.
template <typename Body>
std::string ErrorOf(Body body) {
  try {
    body();
  } catch (const EngineError& error) {
    return std::string(NameOf(error.status())) + ": " + error.what();
  }
  return "";
}

std::uint32_t OpOf(TinySession& session, const std::string& program, const std::string& label) {
  const json& ops = session.Ops(program);
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    if (ops[i]["label"] == label) return i;
  }
  throw std::runtime_error("no op " + label);
}

parity_tap Tap(std::uint32_t op, const char* name, parity_kind kind = PARITY_BUFFER) {
  return {sizeof(parity_tap), static_cast<std::uint32_t>(kind), op, name};
}

TEST(TinyTraits, AreInTheTableAndInTheDescription) {
  const std::tuple<TinyLibrary, std::uint32_t, json> engines[] = {
      {kPaged, 0u, nullptr},
      {kSequential, PARITY_SEQUENTIAL, {"sequential"}},
      {kTapped, PARITY_TAP_ONLY, {"tap_only"}},
      {kStreamed, PARITY_SEQUENTIAL | PARITY_TAP_ONLY, {"sequential", "tap_only"}}};
  for (const auto& [library, traits, text] : engines) {
    EXPECT_EQ(Api(library).traits, traits);
    EXPECT_EQ(Api(library).run_tapped != nullptr, (traits & PARITY_TAP_ONLY) != 0);
    const json description = json::parse(DescribeEngine(Api(library), Config()));
    EXPECT_EQ(description.value("traits", json()), text) << library.engine;
  }
}

TEST(TinySequential, RefusesAStepThatDoesNotFollow) {
  for (const TinyLibrary& library : {kSequential, kStreamed}) {
    ForRanks({.library = library}, [](TinySession& session) {
      const auto stage = [&](std::uint64_t past) {
        const std::int32_t token = 3, position = static_cast<std::int32_t>(past);
        const std::int32_t pages[] = {4, 9};
        const parity_sequence sequence = {sizeof(parity_sequence), 0, past, 1, pages, 2};
        session.rank().Stage(
            {sizeof(parity_step), "decode", "run", 1, &token, &position, 1, &sequence});
      };
      EXPECT_THAT(ErrorOf([&] { stage(1); }), AllOf(HasSubstr("refused: stage: guard step_order"),
                                                    HasSubstr("past == length does not hold with"),
                                                    HasSubstr("\"past\": 1, \"length\": 0")));
      session.Step("prefill", {{0, kPrompt}});
      EXPECT_THAT(ErrorOf([&] { stage(3); }), HasSubstr("\"past\": 3, \"length\": 4"));
      EXPECT_THAT(ErrorOf([&] { stage(0); }), HasSubstr("step_order"));
      stage(4);
      EXPECT_THAT(ErrorOf([&] { stage(5); }), HasSubstr("guard step_finished"));
      session.rank().Reset();
      stage(0);
    });
  }
}

TEST(TinySequential, RepeatsPartsOfTheStagedStep) {
  ForRanks({.library = kSequential}, [](TinySession& session) {
    session.Step("prefill", {{0, kPrompt}});
    session.Stage("decode", {{0, {9}}});
    const auto ops = static_cast<std::uint32_t>(session.Ops("decode").size());
    session.RunOps("decode", 0, ops);
    const std::vector<float> logits = session.Floats("logits");
    session.RunOps("decode", 0, 5);
    session.RunOps("decode", 0, ops);
    EXPECT_EQ(session.Floats("logits"), logits);
    session.Step("decode", {{0, {9}}});
  });
}

TEST(TinyTapped, RunsWholeProgramsAndShowsItsResultsAlone) {
  for (const TinyLibrary& library : {kTapped, kStreamed}) {
    ForRanks({.library = library}, [](TinySession& session) {
      session.Stage("prefill", {{0, kPrompt}});
      EXPECT_THAT(ErrorOf([&] { session.RunOps("prefill", 0, 3); }),
                  HasSubstr("unsupported: run: ops [0, 3) of prefill: only whole programs"));
      session.RunOps("prefill", 0, static_cast<std::uint32_t>(session.Ops("prefill").size()));
      EXPECT_EQ(session.Floats("logits").size(), 4u * 1024);
      EXPECT_EQ(session.Ints("next_token").size(), 1u);
      for (const char* hidden : {"h", "tokens", "embed.weight", "layer0.k"}) {
        EXPECT_THAT(ErrorOf([&] { session.Region(hidden); }),
                    HasSubstr("can only be reached by a tap"))
            << hidden;
      }
    });
  }
}

std::vector<float> TappedLogits(
    TinySession& session, const std::vector<parity_tap>& taps,
    const std::function<void(std::uint32_t, const parity_region&)>& at) {
  session.rank().Reset();
  session.Stage("prefill", {{0, kPrompt}});
  session.rank().RunTapped("prefill", taps, at);
  session.Rewind(0, 0);
  return session.Floats("logits");
}

TEST(TinyTapped, TapsSeeWhatIsComputedAndWhatTheyStoreIsComputedWith) {
  ForRanks({.library = kTapped}, [](TinySession& session) {
    const std::vector<parity_tap> taps = {Tap(OpOf(session, "prefill", "layer1.attention"), "attn"),
                                          Tap(OpOf(session, "prefill", "logits"), "logits")};
    std::vector<std::uint32_t> order;
    std::vector<float> attn, seen_logits;
    const auto look = [&](std::uint32_t tap, const parity_region& region) {
      order.push_back(tap);
      const auto* data = static_cast<const float*>(region.data);
      (tap == 0 ? attn : seen_logits).assign(data, data + region.live_bytes / sizeof(float));
    };
    const std::vector<float> logits = TappedLogits(session, taps, look);
    EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(attn.size(), 4u * 256);
    EXPECT_EQ(seen_logits, logits);
    const std::vector<float> again = TappedLogits(session, {}, look);
    EXPECT_EQ(again, logits);
    const std::vector<float> changed =
        TappedLogits(session, taps, [&](std::uint32_t tap, const parity_region& region) {
          if (tap == 0) std::memset(region.data, 0, region.live_bytes);
        });
    EXPECT_NE(changed, logits);
    const std::vector<float> zero =
        TappedLogits(session, taps, [&](std::uint32_t tap, const parity_region& region) {
          if (tap == 1) std::memset(region.data, 0, region.live_bytes);
        });
    EXPECT_EQ(zero, std::vector<float>(zero.size(), 0.0f));
  });
}

TEST(TinyTapped, ATapThatEndsTheRunEndsIt) {
  ForRanks({.library = kTapped}, [](TinySession& session) {
    const std::vector<parity_tap> taps = {Tap(0, "h"), Tap(2, "x")};
    int calls = 0;
    EXPECT_THROW(TappedLogits(session, taps,
                              [&](std::uint32_t, const parity_region&) {
                                ++calls;
                                throw std::runtime_error("enough");
                              }),
                 std::runtime_error);
    EXPECT_EQ(calls, 1);
  });
}

TEST(TinyTapped, BadTapsAreExplained) {
  ForRanks({.library = kTapped}, [](TinySession& session) {
    const auto error = [&](const parity_tap& tap) {
      return ErrorOf([&] { TappedLogits(session, {tap}, [](auto, const auto&) {}); });
    };
    EXPECT_THAT(error(Tap(999, "h")), HasSubstr("invalid: run_tapped: a tap on op 999 of prefill"));
    EXPECT_THAT(error(Tap(0, "q")), HasSubstr("\"q\", which op embed does not write"));
    EXPECT_THAT(error(Tap(OpOf(session, "prefill", "layer0.append"), "layer0.k", PARITY_STATE)),
                HasSubstr("unsupported: run_tapped: a tap on \"layer0.k\": states cannot"));
  });
}

// Logits of one prefill of two sequences of two tokens; `tapped`: with attention's output tapped
// and overwritten with itself.
std::vector<float> TwoSequences(const json& mutant, const Tokens& first, const Tokens& second,
                                bool tapped = false) {
  std::vector<float> logits;
  ForRanks({.library = kTapped, .config = Config("f32", mutant)}, [&](TinySession& session) {
    session.Stage("prefill", {{0, first}, {1, second}});
    std::vector<parity_tap> taps;
    if (tapped) taps.push_back(Tap(OpOf(session, "prefill", "layer1.attention"), "attn"));
    session.rank().RunTapped("prefill", taps, [](auto, const auto&) {});
    logits = session.Floats("logits");
  });
  return logits;
}

TEST(TinyTapMutants, TapRoundsMovesResultsOnlyWhileATapLooks) {
  const json mutant = {{"name", "tap_rounds"}};
  const std::vector<float> right = TwoSequences(nullptr, {3, 4}, {5, 6});
  EXPECT_EQ(TwoSequences(mutant, {3, 4}, {5, 6}), right);
  EXPECT_EQ(TwoSequences(nullptr, {3, 4}, {5, 6}, true), right);
  EXPECT_NE(TwoSequences(mutant, {3, 4}, {5, 6}, true), right);
}

TEST(TinyTapMutants, DeadTapDropsWhatATapStores) {
  ForRanks({.library = kTapped, .config = Config("f32", {{"name", "dead_tap"}})},
           [](TinySession& session) {
             const std::vector<parity_tap> taps = {
                 Tap(OpOf(session, "prefill", "layer1.attention"), "attn"),
                 Tap(OpOf(session, "prefill", "layer0.attention"), "attn")};
             const std::vector<float> logits =
                 TappedLogits(session, taps, [](auto, const auto&) {});
             const auto zero = [&](std::uint32_t which) {
               return TappedLogits(session, taps, [&](std::uint32_t tap, const auto& region) {
                 if (tap == which) std::memset(region.data, 0, region.live_bytes);
               });
             };
             EXPECT_EQ(zero(0), logits);
             EXPECT_NE(zero(1), logits);
           });
}

TEST(TinyTapMutants, LooksAheadMovesEarlierRows) {
  const std::size_t row = 1024;
  const auto first_row = [&](const json& mutant, std::int32_t later) {
    std::vector<float> logits = TwoSequences(mutant, {3, later}, {5, 6});
    logits.resize(row);
    return logits;
  };
  EXPECT_EQ(first_row(nullptr, 4), first_row(nullptr, 9));
  EXPECT_NE(first_row({{"name", "looks_ahead"}}, 4), first_row({{"name", "looks_ahead"}}, 9));
}

TEST(TinyTapMutants, MixesSequencesMovesRowsOfOthers) {
  const std::ptrdiff_t rows = 2 * 1024;
  const auto second = [&](const json& mutant, std::int32_t in_first) {
    const std::vector<float> logits = TwoSequences(mutant, {in_first, 4}, {5, 6});
    return std::vector<float>(logits.begin() + rows, logits.end());
  };
  EXPECT_EQ(second(nullptr, 3), second(nullptr, 9));
  EXPECT_NE(second({{"name", "mixes_sequences"}}, 3), second({{"name", "mixes_sequences"}}, 9));
}

}  // namespace
}  // namespace parity
