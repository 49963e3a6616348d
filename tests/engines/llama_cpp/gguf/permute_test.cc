// Rows in ggml's order.
#include "gtest_parity/engines/llama_cpp/gguf/permute.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace parity::gguf {
namespace {

using ::testing::ElementsAre;

TEST(PermuteForRope, PairsRowsOfTheTwoHalves) {
  // 2 heads of 6 rows of 1.
  std::vector<float> rows(12);
  std::iota(rows.begin(), rows.end(), 0.0f);
  EXPECT_THAT(PermuteForRope(rows, 2, 1), ElementsAre(0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11));
}

TEST(PermuteForRope, MovesWholeRows) {
  const std::vector<float> rows = {0, 1, 10, 11, 20, 21, 30, 31};
  EXPECT_THAT(PermuteForRope(rows, 1, 2), ElementsAre(0, 1, 20, 21, 10, 11, 30, 31));
}

// One head's elements turned by a position: pairs (i, i + half) as Hugging Face has them, and pairs
// (2i, 2i + 1) as ggml does.
std::vector<double> Turned(const std::vector<float>& head, double position, bool halves) {
  const std::size_t half = head.size() / 2;
  std::vector<double> out(head.size());
  for (std::size_t i = 0; i < half; ++i) {
    const std::size_t a = halves ? i : 2 * i, b = halves ? i + half : 2 * i + 1;
    const double angle =
        position * std::pow(10000.0, -2.0 * static_cast<double>(i) / double(head.size()));
    out[a] = head[a] * std::cos(angle) - head[b] * std::sin(angle);
    out[b] = head[a] * std::sin(angle) + head[b] * std::cos(angle);
  }
  return out;
}

double Score(const std::vector<double>& query, const std::vector<double>& key) {
  return std::inner_product(query.begin(), query.end(), key.begin(), 0.0);
}

TEST(PermuteForRope, LeavesTheScoresOfQueriesAndKeysAsTheyAre) {
  const std::vector<float> query = {0.3f, -1, 2, 0.5f, 1.5f, -0.25f, 0.75f, -2};
  const std::vector<float> key = {1, 0.5f, -0.5f, 2, -1.25f, 0.1f, 3, 0.6f};
  const double expected = Score(Turned(query, 11, true), Turned(key, 4, true));
  const double permuted = Score(Turned(PermuteForRope(query, 1, 1), 11, false),
                                Turned(PermuteForRope(key, 1, 1), 4, false));
  EXPECT_NEAR(permuted, expected, 1e-12);
  const double as_they_were = Score(Turned(query, 11, false), Turned(key, 4, false));
  EXPECT_GT(std::fabs(as_they_were - expected), 0.1);
}

}  // namespace
}  // namespace parity::gguf
