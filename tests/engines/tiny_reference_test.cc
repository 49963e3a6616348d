// The reference is right: against logits, choices and losses of another implementation.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include "tests/engines/tiny_driver.h"

namespace parity {
namespace {

using nlohmann::json;

constexpr std::size_t kVocabulary = 1024;
constexpr std::size_t kGoldenPrompts = 9;

std::vector<std::vector<float>> GoldenLogits() {
  std::ifstream file(ModelDirectory() + "/golden_f32_logits.safetensors", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  std::uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, bytes.data(), sizeof(header_bytes));
  const json header = json::parse(bytes.substr(8, header_bytes));
  std::vector<std::vector<float>> golden;
  for (std::size_t i = 0; i < kGoldenPrompts; ++i) {
    const json& entry = header["p0" + std::to_string(i) + ".logits"];
    const std::size_t begin = entry["data_offsets"][0], end = entry["data_offsets"][1];
    golden.emplace_back((end - begin) / sizeof(float));
    std::memcpy(golden.back().data(), bytes.data() + 8 + header_bytes + begin, end - begin);
  }
  return golden;
}

class TinyGolden : public testing::TestWithParam<TinyLibrary> {};
INSTANTIATE_TEST_SUITE_P(All, TinyGolden, testing::Values(kPaged, kContiguous),
                         [](const auto& test) { return std::string(test.param.engine); });

TEST_P(TinyGolden, MatchesGoldenLogits) {
  const std::vector<Prompt> prompts = Prompts();
  const std::vector<std::vector<float>> golden = GoldenLogits();
  double worst = 0;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < kGoldenPrompts; ++i) {
    ForRanks({.library = GetParam()}, [&](TinySession& session) {
      const std::vector<float> logits = session.Prefill({prompts[i].tokens}, 16)[0];
      ASSERT_EQ(logits.size(), golden[i].size());
      for (std::size_t at = 0; at < logits.size(); at += kVocabulary, ++rows) {
        worst = std::max(worst, Divergence(golden[i].data() + at, logits.data() + at, kVocabulary));
      }
    });
  }
  EXPECT_EQ(rows, 635u);
  EXPECT_LT(worst, 1e-6);
  RecordProperty("worst_kl", std::to_string(worst));
  std::printf("worst KL from golden logits over %zu rows: %.3g nats\n", rows, worst);
}

// Mean -log p of each token after the first.
double Loss(const std::vector<float>& logits, const Tokens& tokens) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const float* row = logits.data() + i * kVocabulary;
    double total = 0;
    for (std::size_t c = 0; c < kVocabulary; ++c) total += std::exp(row[c]);
    sum += std::log(total) - row[tokens[i + 1]];
  }
  return sum / static_cast<double>(tokens.size() - 1);
}

TEST(TinyReference, MatchesGreedyTokensAndLosses) {
  const std::vector<Prompt> prompts = Prompts();
  std::size_t equal = 0, expected = 0;
  double worst_loss = 0;
  for (const Prompt& prompt : prompts) {
    ForRanks({}, [&](TinySession& session) {
      const std::vector<float> logits = session.Prefill({prompt.tokens}, 16)[0];
      worst_loss = std::max(worst_loss, std::abs(Loss(logits, prompt.tokens) - prompt.loss));
      for (std::size_t i = 0; i < prompt.greedy.size(); ++i, ++expected) {
        const std::int32_t token = session.Ints("next_token")[0];
        EXPECT_EQ(token, prompt.greedy[i]) << "at token " << i;
        equal += token == prompt.greedy[i];
        session.Step("decode", {{0, {token}}});
      }
    });
  }
  EXPECT_EQ(expected, 1152u);
  EXPECT_EQ(equal, expected);
  EXPECT_LT(worst_loss, 1e-4);
  std::printf("greedy tokens equal: %zu of %zu, worst loss difference %.3g nats\n", equal, expected,
              worst_loss);
}

TEST(TinyReference, Bf16StaysNearF32) {
  double worst = 0;
  std::size_t flips = 0, rows = 0;
  for (const Prompt& prompt : Prompts()) {
    std::vector<float> logits[2];
    for (int i = 0; i < 2; ++i) {
      ForRanks({.config = Config(i == 0 ? "f32" : "bf16")},
               [&](TinySession& session) { logits[i] = session.Prefill({prompt.tokens}, 16)[0]; });
    }
    for (std::size_t at = 0; at < logits[0].size(); at += kVocabulary, ++rows) {
      const float *a = logits[0].data() + at, *b = logits[1].data() + at;
      worst = std::max(worst, Divergence(a, b, kVocabulary));
      flips += Best(a, kVocabulary) != Best(b, kVocabulary);
    }
  }
  // Another implementation's bf16 is 0.0274 nats from its f32, with 57 flips.
  EXPECT_GT(worst, 0.001);
  EXPECT_LT(worst, 0.1);
  std::printf("bf16 against f32 over %zu rows: worst KL %.3g nats, %zu flips\n", rows, worst,
              flips);
}

}  // namespace
}  // namespace parity
