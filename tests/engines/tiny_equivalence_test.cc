// What must not matter does not: batching, chunks, pages, op by op, ranks, and who wrote the code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engines/tiny_driver.h"
#include "tests/engines/tiny_trace.h"

namespace parity {
namespace {

constexpr std::size_t kVocabulary = 1024;
constexpr int kDecodeSteps = 6;

struct Mode {
  const char* dtype;
  std::uint32_t ranks;
};

class TinyModes : public testing::TestWithParam<Mode> {
 protected:
  TinyRun Run(const TinyLibrary& library) const {
    return {.library = library, .config = Config(GetParam().dtype), .ranks = GetParam().ranks};
  }
};

INSTANTIATE_TEST_SUITE_P(All, TinyModes,
                         testing::Values(Mode{"f32", 1}, Mode{"f32", 2}, Mode{"bf16", 1},
                                         Mode{"bf16", 2}),
                         [](const auto& test) {
                           return std::string(test.param.dtype) + "_" +
                                  std::to_string(test.param.ranks);
                         });

double WorstDivergence(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  double worst = 0;
  for (std::size_t at = 0; at < a.size(); at += kVocabulary) {
    worst = std::max(worst, Divergence(a.data() + at, b.data() + at, kVocabulary));
  }
  return worst;
}

TEST_P(TinyModes, PortedIsPagedBitForBit) {
  EXPECT_THAT(
      Differences(TraceRagged(Run(kPaged), kDecodeSteps), TraceRagged(Run(kPorted), kDecodeSteps)),
      testing::IsEmpty());
}

TEST_P(TinyModes, RebuiltIsPagedBitForBit) {
  EXPECT_THAT(
      Differences(TraceRagged(Run(kPaged), kDecodeSteps), TraceRagged(Run(kRebuilt), kDecodeSteps)),
      testing::IsEmpty());
}

TEST_P(TinyModes, ContiguousHasPagedsLogitsBitForBit) {
  EXPECT_EQ(RaggedLogits(Run(kPaged), kDecodeSteps), RaggedLogits(Run(kContiguous), kDecodeSteps));
}

TEST_P(TinyModes, FusedIsCloseButNotTheSame) {
  const std::vector<float> paged = RaggedLogits(Run(kPaged), kDecodeSteps);
  const std::vector<float> fused = RaggedLogits(Run(kFused), kDecodeSteps);
  EXPECT_NE(paged, fused);
  const double worst = WorstDivergence(paged, fused);
  EXPECT_LT(worst, GetParam().dtype == std::string("f32") ? 1e-8 : 0.01);
  std::printf("fused against paged, %s, %u ranks: worst KL %.3g nats\n", GetParam().dtype,
              GetParam().ranks, worst);
}

TEST_P(TinyModes, WholeRunsAreTheirOps) {
  for (const TinyLibrary& library : {kPaged, kPorted, kFused, kContiguous}) {
    const std::vector<float> whole = RaggedLogits(Run(library), kDecodeSteps);
    std::vector<float> in_parts;
    const std::vector<Trace> traces = TraceRagged(Run(library), kDecodeSteps);
    for (const TraceEntry& entry : traces[0]) {
      if (entry.label != "logits") continue;
      const auto* values = reinterpret_cast<const float*>(entry.bytes.data());
      in_parts.insert(in_parts.end(), values, values + entry.bytes.size() / sizeof(float));
    }
    EXPECT_EQ(whole, in_parts) << library.engine;
  }
}

TEST_P(TinyModes, PageOrderIsIrrelevant) {
  for (const TinyLibrary& library : {kPaged, kPorted, kFused, kContiguous}) {
    TinyRun other = Run(library);
    other.page_seed = 99;
    EXPECT_EQ(RaggedLogits(Run(library), kDecodeSteps), RaggedLogits(other, kDecodeSteps))
        << library.engine;
  }
}

TEST_P(TinyModes, BatchIsItsSequencesAlone) {
  const std::vector<Tokens> prompts = RaggedPrompts();
  for (const TinyLibrary& library : {kPaged, kPorted, kFused, kContiguous}) {
    std::vector<std::vector<float>> together;
    ForRanks(Run(library), [&](TinySession& session) {
      const auto logits = session.Prefill(prompts, 16);
      if (session.index() == 0) together = logits;
    });
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      ForRanks(Run(library), [&](TinySession& session) {
        EXPECT_EQ(session.Prefill({prompts[i]}, 16)[0], together[i]) << library.engine;
      });
    }
  }
}

TEST_P(TinyModes, ChunkSizeIsIrrelevant) {
  const Tokens prompt = RaggedPrompts().back();
  for (const TinyLibrary& library : {kPaged, kPorted, kFused, kContiguous}) {
    std::vector<float> logits[2];
    for (const std::uint64_t chunk : {16, 7}) {
      ForRanks(Run(library), [&](TinySession& session) {
        const auto rows = session.Prefill({prompt}, chunk)[0];
        if (session.index() == 0) logits[chunk == 7] = rows;
      });
    }
    EXPECT_EQ(logits[0], logits[1]) << library.engine;
  }
}

TEST(TinyRanks, ReplicatedBuffersAreReplicated) {
  for (const TinyLibrary& library : {kPaged, kPorted, kFused, kContiguous}) {
    std::map<std::string, std::string> contents[2];
    ForRanks({.library = library, .ranks = 2}, [&](TinySession& session) {
      session.Prefill(RaggedPrompts(), 16);
      for (const auto& [name, buffer] : session.description()["buffers"].items()) {
        if (!buffer.value("replicated", false)) continue;
        contents[session.index()][name] = session.Bytes(name);
      }
    });
    EXPECT_GT(contents[0].size(), 10u);
    EXPECT_EQ(contents[0], contents[1]) << library.engine;
  }
}

TEST(TinyRanks, TwoAreNearlyOne) {
  for (const TinyLibrary& library : {kPaged, kPorted, kFused, kContiguous}) {
    for (const char* dtype : {"f32", "bf16"}) {
      const auto one = RaggedLogits({.library = library, .config = Config(dtype)}, kDecodeSteps);
      const auto two =
          RaggedLogits({.library = library, .config = Config(dtype), .ranks = 2}, kDecodeSteps);
      const double worst = WorstDivergence(one, two);
      if (dtype == std::string("f32")) {
        EXPECT_NE(one, two);
      }
      EXPECT_LT(worst, dtype == std::string("f32") ? 1e-8 : 0.01) << library.engine;
      std::printf("%s %s, 2 ranks against 1: worst KL %.3g nats\n", library.engine, dtype, worst);
    }
  }
}

}  // namespace
}  // namespace parity
