#include "kernels/divergence.h"

#include <gtest/gtest.h>

#include <vector>

namespace parity {
namespace {

constexpr double kInfinity = HUGE_VAL;

// Of rows that are already relative to their peaks.
double KlOf(const std::vector<double>& p, const std::vector<double>& q) {
  Divergence sum;
  for (std::size_t i = 0; i < p.size(); ++i) sum.Add(p[i], q[i], std::exp(p[i]), std::exp(q[i]));
  return sum.Value();
}

TEST(DivergenceTest, LogWeightIsRelativeToThePeak) {
  EXPECT_EQ(LogWeight(3, 5), -2);
  EXPECT_EQ(LogWeight(5, 5), 0);
  EXPECT_EQ(LogWeight(-kInfinity, 5), -kInfinity);
  EXPECT_EQ(LogWeight(kInfinity, kInfinity), 0);
  EXPECT_EQ(LogWeight(5, kInfinity), -kInfinity);
  EXPECT_EQ(LogWeight(-kInfinity, -kInfinity), -kInfinity);
}

TEST(DivergenceTest, ExcessKeepsItsDigitsAtEverySize) {
  for (const double d :
       {1e-12, -1e-9, 1e-6, -1e-3, 0.1, -0.2499, 0.25, 0.2501, -0.26, 1.0, -30.0}) {
    long double expected = 0, term = d;
    if (std::fabs(d) < 1) {
      for (int k = 2; k < 40; ++k) expected += term *= d / k;
    } else {
      expected = std::expm1(static_cast<long double>(d)) - d;
    }
    const auto got = static_cast<double>(ExcessTerm(0.5, 0.5 * std::exp(d), d));
    const auto half = static_cast<double>(expected / 2);
    EXPECT_NEAR(got, half, std::fabs(half) * 2e-14) << d;
  }
  EXPECT_EQ(ExcessTerm(1, 1, 0), 0);
}

TEST(DivergenceTest, OfKnownDistributions) {
  const double p3 = -std::log(3.0);
  EXPECT_NEAR(KlOf({0, 0}, {0, p3}), 0.5 * std::log(4.0 / 3), 1e-15);
  EXPECT_NEAR(KlOf({0, p3}, {0, 0}), 0.75 * std::log(1.5) + 0.25 * std::log(0.5), 1e-15);
  EXPECT_EQ(KlOf({0, -1, -2}, {0, -1, -2}), 0);
}

TEST(DivergenceTest, ATinyOneKeepsItsDigits) {
  for (const double delta : {1e-3, 1e-6, 1e-9}) {
    // Weights 1 and e^-delta against 1 and 1: KL = delta^2 / 8 (1 + O(delta)).
    EXPECT_NEAR(KlOf({0, 0}, {0, -delta}), delta * delta / 8, delta * delta * delta + 1e-24);
    EXPECT_GT(KlOf({0, 0}, {0, -delta}), 0);
  }
}

TEST(DivergenceTest, SupportDecides) {
  EXPECT_EQ(KlOf({0, -1}, {0, -kInfinity}), kInfinity);
  EXPECT_NEAR(KlOf({0, -kInfinity}, {0, 0}), std::log(2.0), 1e-15);
  EXPECT_EQ(KlOf({0, -kInfinity}, {0, -kInfinity}), 0);
  EXPECT_EQ(KlOf({-kInfinity}, {-kInfinity}), 0);
  EXPECT_EQ(KlOf({-kInfinity}, {0}), kInfinity);
  EXPECT_EQ(KlOf({0}, {-kInfinity}), kInfinity);
}

TEST(DivergenceTest, WeightsThatUnderflowAreStillMeasured) {
  EXPECT_EQ(KlOf({0, -1e38}, {0, -1e38}), 0);
  EXPECT_EQ(KlOf({0, -1e38}, {0, -kInfinity}), 0);
  EXPECT_EQ(KlOf({0, -700}, {0, -kInfinity}), kInfinity);
  EXPECT_NEAR(KlOf({0, -1e38}, {0, 0}), std::log(2.0), 1e-15);
  EXPECT_NEAR(KlOf({0, 0}, {0, -1e38}), 0.5e38, 1e24);
  EXPECT_NEAR(KlOf({-800, 0}, {0, -800}), 800, 1e-9);
}

}  // namespace
}  // namespace parity
