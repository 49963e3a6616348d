// The views that tiny engines carry out themselves: one cache, whatever holds it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/engine/error.h"
#include "tests/engines/tiny_driver.h"

namespace parity {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr std::uint64_t kTokenBytes = 2 * 64 * sizeof(float);  // 2 KV heads of 64

std::string Exported(TinySession& session, const std::string& view, std::uint64_t tokens) {
  std::string bytes(tokens * kTokenBytes, '\0');
  session.rank().ExportView(PARITY_STATE, view, bytes.data(), bytes.size());
  return bytes;
}

// Two sequences in slots 5 and 2, 20 and 3 tokens long.
void FillCaches(TinySession& session) {
  session.Step("prefill", {{5, Tokens(18, 7)}, {2, {3, 4}}});
  session.Step("prefill", {{5, {9, 11}}, {2, {5}}});
}

TEST(TinyViews, PagedAndContiguousShowTheSameCache) {
  std::map<std::string, std::string> shown[2];
  for (const TinyLibrary& library : {kPaged, kContiguous}) {
    ForRanks({.library = library, .page_seed = 3}, [&](TinySession& session) {
      FillCaches(session);
      for (const char* view : {"layer0.k", "layer2.v"}) {
        shown[library.engine == std::string("paged")][view] = Exported(session, view, 23);
      }
    });
  }
  EXPECT_EQ(shown[0], shown[1]);
  EXPECT_NE(shown[0]["layer0.k"], shown[0]["layer2.v"]);
}

TEST(TinyViews, ImportPutsEveryTokenWhereItIsRead) {
  for (const TinyLibrary& library : {kPaged, kContiguous}) {
    std::string cache;
    std::vector<float> logits[2];
    ForRanks({.library = library}, [&](TinySession& session) {
      FillCaches(session);
      cache = Exported(session, "layer1.v", 23);
      logits[0] = session.Floats("logits");
      const std::string before = session.Bytes("layer1.v");
      session.rank().ImportView(PARITY_STATE, "layer1.v", std::string(cache.size(), 'x').data(),
                                cache.size());
      EXPECT_NE(session.Bytes("layer1.v"), before);
      session.rank().ImportView(PARITY_STATE, "layer1.v", cache.data(), cache.size());
      EXPECT_EQ(session.Bytes("layer1.v"), before) << library.engine;
    });
  }
}

TEST(TinyViews, WhatIsNoViewIsExplained) {
  ForRanks({.library = kContiguous}, [](TinySession& session) {
    FillCaches(session);
    const auto error = [&](parity_kind kind, const std::string& view, std::uint64_t bytes) {
      std::string out(bytes, '\0');
      try {
        session.rank().ExportView(kind, view, out.data(), out.size());
      } catch (const EngineError& failure) {
        return std::string(failure.what());
      }
      return std::string();
    };
    EXPECT_THAT(error(PARITY_STATE, "layer9.k", 8), HasSubstr("no view \"layer9.k\""));
    EXPECT_THAT(error(PARITY_BUFFER, "layer0.k", 8), HasSubstr("no view \"layer0.k\""));
    EXPECT_THAT(error(PARITY_BUFFER, "q", 8), HasSubstr("no view \"q\" that the engine carries"));
    EXPECT_THAT(error(PARITY_STATE, "layer0.k", 8),
                HasSubstr("of 8 bytes, expected " + std::to_string(23 * kTokenBytes)));
  });
}

TEST(TinyViews, TheSwitchLeavesThemOutOfTheDescription) {
  json config = json::parse(Config());
  config["views"] = false;
  for (const TinyLibrary& library : {kPaged, kContiguous}) {
    const std::string with = DescribeEngine(Api(library), Config());
    const std::string without = DescribeEngine(Api(library), config.dump());
    EXPECT_THAT(with, HasSubstr("\"views\""));
    EXPECT_THAT(without, testing::Not(HasSubstr("\"views\"")));
    EXPECT_THAT(without, testing::Not(HasSubstr("kv_tokens")));
  }
  config["views"] = 1;
  const char* text = nullptr;
  EXPECT_EQ(Api(kPaged).describe(config.dump().c_str(), &text), PARITY_INVALID);
  EXPECT_THAT(Api(kPaged).last_error(nullptr), HasSubstr("config.views is 1, expected true or"));
}

// Contiguous memory ends where the slot does.
TEST(TinyViews, ASlotHoldsItsTokensAndNoMore) {
  ForRanks({.library = kContiguous}, [](TinySession& session) {
    session.Step("prefill", {{0, Tokens(256, 7)}});
    EXPECT_THROW(session.Stage("decode", {{0, {7}}}), EngineError);
  });
}

// What the store of a layer puts into the caches is wrong, and nothing else is.
TEST(TinyViews, MutantsOfTheStoreChangeOneCache) {
  const std::pair<const char*, const char*> cases[] = {{"wrong_head", "layer1.k"},
                                                       {"neighbour_value", "layer1.v"}};
  for (const auto& [mutant, cache] : cases) {
    std::map<std::string, std::string> shown[2];
    for (const bool wrong : {false, true}) {
      const json options = wrong ? json{{"name", mutant}} : json();
      ForRanks({.library = kContiguous, .config = Config("f32", options)},
               [&](TinySession& session) {
                 session.Stage("prefill", {{5, {7, 8, 9}}});
                 const json& ops = session.Ops("prefill");
                 std::uint32_t store = 0;
                 while (ops[store]["label"] != "layer1.store") ++store;
                 session.RunOps("prefill", 0, store + 1);
                 for (const char* tensor : {"layer0.k", "layer0.v", "layer1.k", "layer1.v"}) {
                   shown[wrong][tensor] = session.Bytes(tensor);
                 }
                 shown[wrong]["qkv"] = session.Bytes("qkv");
               });
    }
    for (const auto& [tensor, bytes] : shown[0]) {
      EXPECT_EQ(bytes != shown[1][tensor], tensor == cache) << mutant << " " << tensor;
    }
  }
}

}  // namespace
}  // namespace parity
