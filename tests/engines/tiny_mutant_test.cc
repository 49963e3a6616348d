// Each mutant does what its table says, where it says so, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <set>

#include "tests/engines/tiny_driver.h"
#include "tests/engines/tiny_trace.h"

namespace parity {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr std::size_t kVocabulary = 1024;
constexpr int kDecodeSteps = 4;  // the prompts of 14 and 45 tokens cross into a page at 2 and 3

TinyRun With(const TinyLibrary& library, const json& mutant, const char* dtype = "f32",
             std::uint32_t ranks = 1) {
  return {.library = library, .config = Config(dtype, mutant), .ranks = ranks};
}

std::vector<std::string> Changes(const TinyLibrary& library, const json& mutant,
                                 const char* dtype = "f32", std::uint32_t ranks = 1) {
  return Differences(TraceRagged(With(library, nullptr, dtype, ranks), kDecodeSteps),
                     TraceRagged(With(library, mutant, dtype, ranks), kDecodeSteps));
}

double WorstDivergence(const TinyLibrary& library, const json& mutant) {
  const std::vector<float> right = RaggedLogits(With(library, nullptr), kDecodeSteps);
  const std::vector<float> wrong = RaggedLogits(With(library, mutant), kDecodeSteps);
  double worst = 0;
  for (std::size_t at = 0; at < std::min(right.size(), wrong.size()); at += kVocabulary) {
    worst = std::max(worst, Divergence(right.data() + at, wrong.data() + at, kVocabulary));
  }
  return worst;
}

struct Place {
  const char* mutant;
  const char* ported;  // where the first change is
  const char* fused;
};

class TinyMutantPlaces : public testing::TestWithParam<Place> {};

INSTANTIATE_TEST_SUITE_P(
    All, TinyMutantPlaces,
    testing::Values(
        Place{"negative_zero", "step 0 prefill rope_rows sin", "step 0 prefill rope_rows sin"},
        Place{"round", "step 0 prefill layer2.attention attn",
              "step 0 prefill layer2.attention attn"},
        Place{"drift", "step 0 prefill layer0.gate gate", "step 0 prefill layer0.o partial"},
        Place{"rope_off_by_one", "step 0 prefill layer1.rope q", "step 0 prefill layer1.qkv q"},
        Place{"stale_page", "step 5 decode layer0.attention attn",
              "step 5 decode layer0.attention attn"},
        Place{"flip_argmax", "step 0 prefill logits logits", "step 0 prefill logits logits"},
        Place{"nan_lane", "step 0 prefill layer1.attention attn",
              "step 0 prefill layer1.attention attn"},
        Place{"missing_write", "step 0 prefill layer1.attention attn",
              "step 0 prefill layer1.attention attn"},
        Place{"bad_token", "step 0 prefill next_token next_token",
              "step 0 prefill next_token next_token"},
        Place{"ulp", "step 0 prefill layer1.q q", "step 0 prefill layer1.qkv q"}),
    [](const auto& test) { return std::string(test.param.mutant); });

TEST_P(TinyMutantPlaces, FirstChangeIsWhereItSays) {
  // A token outside the vocabulary cannot be decoded: later steps need this one's choice.
  const bool ends_early = GetParam().mutant == std::string("bad_token");
  for (const char* dtype : {"f32", "bf16"}) {
    const json mutant = {{"name", GetParam().mutant}};
    if (ends_early) {
      EXPECT_THROW(Changes(kPorted, mutant, dtype), std::exception);
      continue;
    }
    const std::vector<std::string> ported = Changes(kPorted, mutant, dtype);
    ASSERT_FALSE(ported.empty());
    EXPECT_EQ(ported[0], std::string("rank 0 ") + GetParam().ported);
    const std::vector<std::string> fused = Changes(kFused, mutant, dtype);
    ASSERT_FALSE(fused.empty());
    EXPECT_EQ(fused[0], std::string("rank 0 ") + GetParam().fused);
  }
}

TEST(TinyMutant, NegativeZeroChangesNothingButSigns) {
  const auto right = TraceRagged(With(kPorted, nullptr), kDecodeSteps)[0];
  const auto wrong = TraceRagged(With(kPorted, {{"name", "negative_zero"}}), kDecodeSteps)[0];
  std::set<std::string> changed;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (right[i].bytes == wrong[i].bytes) continue;
    changed.insert(right[i].where);
    const auto* a = reinterpret_cast<const float*>(right[i].bytes.data());
    const auto* b = reinterpret_cast<const float*>(wrong[i].bytes.data());
    EXPECT_TRUE(std::equal(a, a + right[i].bytes.size() / sizeof(float), b));
  }
  EXPECT_EQ(changed, std::set<std::string>{"step 0 prefill rope_rows sin"});
}

TEST(TinyMutant, SizesAreAsTheHarnessNeedsThem) {
  for (const TinyLibrary& library : {kPorted, kFused}) {
    EXPECT_LT(WorstDivergence(library, {{"name", "round"}}), 1e-3);
    EXPECT_LT(WorstDivergence(library, {{"name", "ulp"}}), 1e-8);
    EXPECT_GT(WorstDivergence(library, {{"name", "drift"}, {"factor", 1.1}}), 0.01);
    EXPECT_GT(WorstDivergence(library, {{"name", "rope_off_by_one"}}), 1.0);
    EXPECT_GT(WorstDivergence(library, {{"name", "stale_page"}}), 0.01);
    EXPECT_GT(WorstDivergence(library, {{"name", "flip_argmax"}}), 0.04);
    EXPECT_EQ(WorstDivergence(library, {{"name", "flip_argmax"}, {"at_most", 0.04}}), 0);
    EXPECT_LT(WorstDivergence(library, {{"name", "round"}, {"mantissa_bits", 20}}), 1e-9);
    EXPECT_EQ(WorstDivergence(library, {{"name", "nan_lane"}}),
              std::numeric_limits<double>::infinity());
  }
}

TEST(TinyMutant, DriftMovesNormalText) {
  for (const TinyLibrary& library : {kPorted, kFused}) {
    const std::vector<Prompt> prompts = Prompts();
    double worst = 0;
    for (std::size_t i = 0; i < prompts.size(); i += 5) {
      std::vector<float> logits[2];
      for (int wrong = 0; wrong < 2; ++wrong) {
        const json mutant = wrong ? json{{"name", "drift"}} : json();
        ForRanks(With(library, mutant), [&](TinySession& session) {
          logits[wrong] = session.Prefill({prompts[i].tokens}, 16)[0];
        });
      }
      for (std::size_t at = 0; at < logits[0].size(); at += kVocabulary) {
        worst =
            std::max(worst, Divergence(logits[0].data() + at, logits[1].data() + at, kVocabulary));
      }
    }
    EXPECT_GT(worst, 0.01) << library.engine;
  }
}

TEST(TinyMutant, BadTokenIsOutsideTheVocabulary) {
  for (const TinyLibrary& library : {kPorted, kFused}) {
    ForRanks(With(library, {{"name", "bad_token"}}), [](TinySession& session) {
      session.Step("prefill", {{0, {0, 5}}, {1, {0}}});
      EXPECT_EQ(session.Ints("next_token"), (std::vector<std::int32_t>{5000, 5000}));
    });
  }
}

TEST(TinyMutant, FlipExchangesTheBest) {
  std::vector<float> logits[2];
  for (int wrong = 0; wrong < 2; ++wrong) {
    const json mutant = wrong ? json{{"name", "flip_argmax"}} : json();
    ForRanks(With(kPorted, mutant), [&](TinySession& session) {
      logits[wrong] = session.Prefill({RaggedPrompts()[1]}, 16)[0];
    });
  }
  const std::size_t last = logits[0].size() - kVocabulary;
  EXPECT_TRUE(std::equal(logits[0].begin(), logits[0].begin() + last, logits[1].begin()));
  EXPECT_NE(Best(logits[0].data() + last, kVocabulary), Best(logits[1].data() + last, kVocabulary));
}

// What attention of layer 1 leaves when its output held `poison` before.
std::string AttentionOver(TinySession& session, char poison) {
  const json& ops = session.Ops("prefill");
  const auto found = std::find_if(ops.begin(), ops.end(),
                                  [](const json& op) { return op["label"] == "layer1.attention"; });
  const auto index = static_cast<std::uint32_t>(found - ops.begin());
  session.SetBytes("attn", std::string(session.Bytes("attn").size(), poison));
  session.RunOps("prefill", index, index + 1);
  return session.Bytes("attn");
}

TEST(TinyMutant, UndefinedReadsAndMissingWritesDependOnPoison) {
  for (const TinyLibrary& library : {kPorted, kFused}) {
    for (const char* name : {"missing_write", "reads_poison"}) {
      ForRanks(With(library, {{"name", name}}), [&](TinySession& session) {
        session.Step("prefill", {{0, RaggedPrompts()[1]}});
        const std::string clean = AttentionOver(session, '\0');
        EXPECT_NE(AttentionOver(session, '\xff'), clean) << name;
        EXPECT_EQ(AttentionOver(session, '\x7e') == clean, name == std::string("reads_poison"));
      });
    }
  }
}

TEST(TinyMutant, LeakStoresIntoAnotherLayer) {
  std::map<std::string, std::string> contents[2];
  for (int wrong = 0; wrong < 2; ++wrong) {
    const json mutant = wrong ? json{{"name", "leak"}} : json();
    ForRanks(With(kPorted, mutant), [&](TinySession& session) {
      session.Step("prefill", {{0, RaggedPrompts()[1]}});
      for (const std::string& name : session.Tensors()) {
        contents[wrong][name] = session.Bytes(name);
      }
    });
  }
  std::vector<std::string> changed;
  for (const auto& [name, bytes] : contents[0]) {
    if (contents[1][name] != bytes) changed.push_back(name);
  }
  EXPECT_EQ(changed, std::vector<std::string>{"layer0.v"});
}

TEST(TinyMutant, OptionsSayWhere) {
  EXPECT_THAT(Changes(kPorted, {{"name", "ulp"}, {"label", "layer2.down"}})[0],
              HasSubstr("step 0 prefill layer2.down partial"));
  EXPECT_THAT(Changes(kPorted, {{"name", "ulp"}, {"layer", 2}})[0],
              HasSubstr("step 0 prefill layer2.q q"));
  EXPECT_THAT(Changes(kPorted, {{"name", "ulp"}, {"program", "decode"}})[0],
              HasSubstr("step 3 decode layer1.q q"));
  EXPECT_THAT(Changes(kPorted, {{"name", "ulp"}, {"run", "prefill#1"}})[0],
              HasSubstr("step 1 prefill layer1.q q"));
  const json served = {{"name", "drift"}, {"served", true}};
  EXPECT_THAT(Changes(kPorted, served), testing::IsEmpty());  // a trace runs op by op
  EXPECT_GT(WorstDivergence(kPorted, served), 1e-4);
  const auto ranked = Changes(kPorted, {{"name", "ulp"}, {"rank", 1}}, "f32", 2);
  EXPECT_EQ(std::count(ranked.begin(), ranked.end(), "rank 0 step 0 prefill layer1.q q"), 0);
  EXPECT_EQ(std::count(ranked.begin(), ranked.end(), "rank 1 step 0 prefill layer1.q q"), 1);
}

TEST(TinyMutant, WrongRank1IsWrongOnRank1) {
  const auto changes = Changes(kFused, {{"name", "wrong_rank1"}}, "f32", 2);
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes[0], "rank 0 step 0 prefill layer1.o_reduce partial");
  EXPECT_THAT(changes, testing::Contains("rank 1 step 0 prefill layer1.attention attn"));
}

TEST(TinyNoise, IsOfAnUlpAndNeverTheSame) {
  const json noisy = {{"name", "noisy"}, {"seed", 3}};
  EXPECT_EQ(Changes(kPaged, noisy)[0], "rank 0 step 0 prefill layer0.q q");
  const double worst = WorstDivergence(kPaged, noisy);
  EXPECT_GT(worst, 0);
  EXPECT_LT(worst, 1e-8);
  ForRanks(With(kPaged, noisy), [](TinySession& session) {
    session.Step("prefill", {{0, RaggedPrompts()[1]}});
    const std::string first = session.Bytes("logits");
    session.RunOps("prefill", 0, static_cast<std::uint32_t>(session.Ops("prefill").size()));
    EXPECT_NE(session.Bytes("logits") == first, true);
  });
}

TEST(TinyNoise, IsWhereItSays) {
  const auto batched = Changes(kPaged, {{"name", "noisy_batched"}});
  EXPECT_EQ(batched[0], "rank 0 step 0 prefill layer0.q q");
  const std::vector<float> alone[2] = {RaggedLogits(With(kPaged, nullptr), 0),
                                       RaggedLogits(With(kPaged, {{"name", "noisy_batched"}}), 0)};
  EXPECT_NE(alone[0], alone[1]);
  ForRanks(With(kPaged, {{"name", "noisy_batched"}}), [](TinySession& session) {
    session.Step("prefill", {{0, RaggedPrompts()[1]}});
    const std::string first = session.Bytes("logits");
    session.RunOps("prefill", 0, static_cast<std::uint32_t>(session.Ops("prefill").size()));
    EXPECT_EQ(session.Bytes("logits") == first, true);
  });

  const auto rank0 = Changes(kPaged, {{"name", "noisy_rank0"}}, "f32", 2);
  EXPECT_EQ(std::count(rank0.begin(), rank0.end(), "rank 0 step 0 prefill layer0.q q"), 1);
  EXPECT_EQ(std::count(rank0.begin(), rank0.end(), "rank 1 step 0 prefill layer0.q q"), 0);

  // Restoring layer 1's input, as a replay does, leaves no noise in it.
  ForRanks(With(kPaged, {{"name", "noisy_layer0"}}), [](TinySession& session) {
    session.Step("prefill", {{0, RaggedPrompts()[1]}});
    const json& ops = session.Ops("prefill");
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      if (ops[i]["op"] != "linear") continue;
      const std::string output = ops[i]["writes"][0];
      session.RunOps("prefill", i, i + 1);
      const std::string first = session.Bytes(output);
      session.RunOps("prefill", i, i + 1);
      const bool same = session.Bytes(output) == first;
      EXPECT_EQ(same, ops[i]["label"].get<std::string>().rfind("layer0.", 0) != 0) << ops[i];
    }
  });
}

void RunOnce(const char* name) {
  ForRanks(With(kPorted, {{"name", name}}), [](TinySession& session) {
    session.Step("prefill", {{0, {0, 5, 9}}});
  });
}

TEST(TinyMutantDeathTest, EndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // A leak check at exit would look for stacks of threads that are still running.
  setenv("ASAN_OPTIONS", "detect_leaks=0", /*overwrite=*/1);
  EXPECT_DEATH(RunOnce("crash"), "");
  EXPECT_EXIT(RunOnce("exit0"), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(RunOnce("exit77"), testing::ExitedWithCode(77), "");
  EXPECT_EXIT((alarm(2), RunOnce("hang")), testing::KilledBySignal(SIGALRM), "");
}

TEST(TinyMutant, ScribbleFindsARecording) {
  RunOnce("scribble");  // nothing to find
  const int file = memfd_create("parity_recording", 0);
  ASSERT_EQ(ftruncate(file, 4096), 0);
  void* recording = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ASSERT_NE(recording, MAP_FAILED);
  EXPECT_EQ(*static_cast<char*>(recording), 0);
  RunOnce("scribble");
  EXPECT_NE(*static_cast<char*>(recording), 0);
  munmap(recording, 4096);
  close(file);
}

}  // namespace
}  // namespace parity
