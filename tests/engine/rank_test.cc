#include "gtest_parity/engine/rank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cfenv>
#include <cstddef>

#include "gtest_parity/engine/error.h"
#include "tests/engine/fake_engine.h"

namespace parity {
namespace {

using testing::ElementsAre;

struct Thrown {
  parity_status status = PARITY_OK;
  std::string words;
};

template <typename Call>
Thrown ThrownBy(Call call) {
  try {
    call();
  } catch (const EngineError& error) {
    return {error.status(), error.what()};
  }
  return {};
}

// An engine's floating-point mode is its own, and lasts from call to call.
TEST(Rank, FloatingPointModesDoNotMeet) {
  FakeEngine engine;
  std::vector<int> seen;
  engine.on_run = [&](std::uint32_t, std::uint32_t) {
    seen.push_back(std::fegetround());
    std::fesetround(FE_UPWARD);
  };
  Rank rank(engine.api(), engine.args());
  for (int repeat = 0; repeat < 2; ++repeat) {
    rank.Run("decode", 0, 1);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  }
  std::fesetround(FE_DOWNWARD);
  rank.Run("decode", 0, 1);
  EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
  std::fesetround(FE_TONEAREST);
  EXPECT_THAT(seen, ElementsAre(FE_TONEAREST, FE_UPWARD, FE_UPWARD));
}

TEST(Rank, CallsInOrder) {
  FakeEngine engine;
  engine.Set<float>("x", {1, 2});
  {
    Rank rank(engine.api(), engine.args());
    rank.Stage(parity_step{});
    rank.Run("decode", 1, 3);
    const parity_region region = rank.Region(PARITY_BUFFER, "x");
    EXPECT_EQ(region.data, engine.memory.at("x").bytes.data());
    EXPECT_EQ(region.live_bytes, 8u);
    rank.Reset();
  }
  EXPECT_THAT(engine.calls,
              ElementsAre("create", "stage", "run decode 1 3", "synchronize", "reset", "destroy"));
}

TEST(Rank, CreateThatFailsHasTheWordsOfNoRankAndNothingToDestroy) {
  FakeEngine engine;
  engine.on_create = PARITY_OUT_OF_MEMORY;
  const Thrown thrown = ThrownBy([&] { Rank rank(engine.api(), engine.args()); });
  EXPECT_EQ(thrown.status, PARITY_OUT_OF_MEMORY);
  EXPECT_EQ(thrown.words, "create: words of no rank");
  EXPECT_THAT(engine.calls, ElementsAre("create"));
}

TEST(Rank, ErrorsCarryCallStatusAndWords) {
  FakeEngine engine;
  Rank rank(engine.api(), engine.args());
  engine.words = "the pump is dry";
  const parity_status statuses[] = {PARITY_FAILED,        PARITY_INVALID,   PARITY_UNSUPPORTED,
                                    PARITY_OUT_OF_MEMORY, PARITY_CANCELLED, PARITY_DEVICE_LOST};
  for (const parity_status status : statuses) {
    engine.run_status = status;
    const Thrown thrown = ThrownBy([&] { rank.Run("decode", 0, 1); });
    EXPECT_EQ(thrown.status, status);
    EXPECT_EQ(thrown.words, "run: the pump is dry");
  }
  engine.run_status = PARITY_OK;
  engine.synchronize_status = PARITY_DEVICE_LOST;
  EXPECT_EQ(ThrownBy([&] { rank.Run("decode", 0, 1); }).words, "synchronize: the pump is dry");
  EXPECT_EQ(ThrownBy([&] { rank.Region(PARITY_STATE, "y"); }).words, "region: no tensor y");
}

parity_status GoodRefusal(parity_rank*, parity_refusal* out) {
  EXPECT_EQ(out->struct_size, sizeof(parity_refusal));
  out->guard = "attention.block";
  out->condition = "rows <= 8";
  out->operands = "{\"rows\": 9}";
  return PARITY_OK;
}

parity_status FailingRefusal(parity_rank*, parity_refusal*) { return PARITY_UNSUPPORTED; }

TEST(Rank, RefusalSaysGuardConditionAndOperands) {
  FakeEngine engine;
  engine.api().refusal = GoodRefusal;
  engine.run_status = PARITY_REFUSED;
  engine.words = "refused";
  Rank rank(engine.api(), engine.args());
  const Thrown thrown = ThrownBy([&] { rank.Run("decode", 0, 1); });
  EXPECT_EQ(thrown.status, PARITY_REFUSED);
  EXPECT_EQ(thrown.words, "run: guard attention.block: rows <= 8 does not hold with {\"rows\": 9}");
}

TEST(Rank, RefusalWithoutDetailsFallsBackToWords) {
  FakeEngine engine;
  engine.run_status = PARITY_REFUSED;
  engine.words = "not today";
  Rank rank(engine.api(), engine.args());
  EXPECT_EQ(ThrownBy([&] { rank.Run("decode", 0, 1); }).words, "run: not today");
  engine.api().refusal = FailingRefusal;
  EXPECT_EQ(ThrownBy([&] { rank.Run("decode", 0, 1); }).words, "run: not today");
}

parity_status RunGraph(parity_rank* rank, const char*) {
  FakeEngine::Me(rank)->calls.push_back("run_graph");
  return PARITY_OK;
}

void CancelRank(parity_rank* rank) { FakeEngine::Me(rank)->calls.push_back("cancel"); }

TEST(Rank, WholeProgramsRunAsAGraphWhereOffered) {
  FakeEngine engine;
  Rank rank(engine.api(), engine.args());
  rank.RunWhole("decode", 4);
  engine.api().run_graph = RunGraph;
  rank.RunWhole("decode", 4);
  EXPECT_THAT(engine.calls,
              ElementsAre("create", "run decode 0 4", "synchronize", "run_graph", "synchronize"));
}

TEST(Rank, CancelIsPassedOnWhereOffered) {
  FakeEngine engine;
  Rank rank(engine.api(), engine.args());
  rank.Cancel();
  engine.api().cancel = CancelRank;
  rank.Cancel();
  EXPECT_THAT(engine.calls, ElementsAre("create", "cancel"));
}

parity_status ServeBack(parity_rank* rank, const char* request, const char** response) {
  FakeEngine* me = FakeEngine::Me(rank);
  me->calls.push_back(std::string("serve ") + request);
  *response = "{\"ids\": []}";
  return me->run_status;
}

TEST(Rank, ServesWhereOffered) {
  FakeEngine engine;
  Rank rank(engine.api(), engine.args());
  const Thrown absent = ThrownBy([&] { rank.Serve("{}"); });
  EXPECT_EQ(absent.status, PARITY_UNSUPPORTED);
  EXPECT_EQ(absent.words, "serve: the engine does not offer it");
  engine.api().serve = ServeBack;
  EXPECT_EQ(rank.Serve("{\"do\": \"stop\"}"), "{\"ids\": []}");
  EXPECT_THAT(engine.calls, ElementsAre("create", "serve {\"do\": \"stop\"}"));
  engine.run_status = PARITY_INVALID;
  engine.words = "no such field";
  EXPECT_EQ(ThrownBy([&] { rank.Serve("{}"); }).words, "serve: no such field");
  engine.api().struct_size = offsetof(parity_engine_api, serve);
  EXPECT_EQ(ThrownBy([&] { rank.Serve("{}"); }).status, PARITY_UNSUPPORTED);
}

// What lies beyond struct_size is not the table's: it is never read.
TEST(Rank, ShorterTableHidesLaterFunctions) {
  FakeEngine engine;
  engine.api().run_graph = RunGraph;
  engine.api().cancel = CancelRank;
  engine.api().struct_size = offsetof(parity_engine_api, cancel) + 4;  // half a pointer
  Rank rank(engine.api(), engine.args());
  rank.RunWhole("decode", 4);
  rank.Cancel();
  EXPECT_THAT(engine.calls, ElementsAre("create", "run decode 0 4", "synchronize"));
  engine.calls.clear();
  engine.api().struct_size = offsetof(parity_engine_api, cancel) + sizeof(void*);
  rank.Cancel();
  rank.RunWhole("decode", 4);
  EXPECT_THAT(engine.calls, ElementsAre("cancel", "run decode 0 4", "synchronize"));
}

std::uint64_t rendezvous_bytes = 0;
std::vector<std::uint64_t> capacities;

parity_status GiveBytes(const char*, void* out, std::uint64_t* bytes) {
  capacities.push_back(*bytes);
  const std::uint64_t capacity = *bytes;
  *bytes = rendezvous_bytes;
  if (capacity < rendezvous_bytes) return PARITY_INVALID;
  for (std::uint64_t i = 0; i < rendezvous_bytes; ++i) {
    static_cast<std::uint8_t*>(out)[i] = static_cast<std::uint8_t>(i * 7);
  }
  return PARITY_OK;
}

TEST(Rendezvous, GrowsItsBufferToWhatIsNeeded) {
  FakeEngine engine;
  engine.api().rendezvous = GiveBytes;
  for (const std::uint64_t needed : {0, 1, 128, 256, 257, 5000}) {
    rendezvous_bytes = needed;
    capacities.clear();
    const std::vector<std::uint8_t> bytes = Rendezvous(engine.api(), "{}");
    ASSERT_EQ(bytes.size(), needed);
    for (std::uint64_t i = 0; i < needed; ++i) {
      ASSERT_EQ(bytes[i], static_cast<std::uint8_t>(i * 7));
    }
    EXPECT_EQ(capacities.size(), needed > 256 ? 2u : 1u);
    EXPECT_EQ(capacities.back(), std::max<std::uint64_t>(needed, 256));
  }
}

TEST(Rendezvous, NoneIsNeeded) {
  FakeEngine engine;
  EXPECT_TRUE(Rendezvous(engine.api(), "{}").empty());
}

TEST(Rendezvous, ErrorsAreThrown) {
  FakeEngine engine;
  engine.api().rendezvous = [](const char*, void*, std::uint64_t* bytes) {
    *bytes = 1;
    return PARITY_INVALID;
  };
  const Thrown thrown = ThrownBy([&] { Rendezvous(engine.api(), "{}"); });
  EXPECT_EQ(thrown.status, PARITY_INVALID);
  EXPECT_EQ(thrown.words, "rendezvous: words of no rank");
}

// An engine that claims to have written more than fits must not be believed.
TEST(Rendezvous, ClaimBeyondTheCapacityIsAnError) {
  FakeEngine engine;
  engine.api().rendezvous = [](const char*, void*, std::uint64_t* bytes) {
    *bytes = std::uint64_t{1} << 60;
    return PARITY_OK;
  };
  EXPECT_EQ(ThrownBy([&] { Rendezvous(engine.api(), "{}"); }).status, PARITY_FAILED);
}

}  // namespace
}  // namespace parity
