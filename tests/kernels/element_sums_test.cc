#include "kernels/element_sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "kernels/elements.h"
#include "tests/kernels/element_reference.h"
#include "tests/kernels/reference.h"

namespace parity {
namespace {

void ExpectSums(const ElementStats& got, const ElementStats& expected) {
  EXPECT_EQ(got.sum_dd, expected.sum_dd);
  EXPECT_EQ(got.sum_aa, expected.sum_aa);
  EXPECT_EQ(got.sum_bb, expected.sum_bb);
  EXPECT_EQ(got.sum_ab, expected.sum_ab);
}

// One bf16 of every 1024 has this magnitude on one side or both, the others that one.
struct RangeRow {
  const char* name;
  double few, many;
  bool both;
};

TEST(ElementSums, RunsBeneathAndBeyondF32KeepTheirDigits) {
  const RangeRow rows[] = {
      {"squares vanish", 0x1.02p-100, 0x1.82p-100, true},
      {"squares are subnormal", 0x1.02p-70, 0x1.82p-68, true},
      {"squares overflow", 0x1.02p70, 0x1.82p66, true},
      {"one square overflows", 0x1.02p70, 0x1.82p3, true},
      {"one side is 0", 0, 0x1.82p3, false},
      {"one side is 0 and the other vanishes", 0, 0x1.82p-100, false},
      {"just held", 0x1p-40, 0, true},
      {"just not held", 0x1p-41, 0, true},
  };
  for (const RangeRow& row : rows) {
    SCOPED_TRACE(row.name);
    std::vector<std::uint64_t> a, b;
    for (std::uint64_t i = 0; i < 5001; ++i) {
      const double x = i % 1024 == 37 ? row.few : row.many;
      a.push_back(NearestFloat(DType::kBF16, x));
      b.push_back(row.both ? a.back() ^ i % 2 : NearestFloat(DType::kBF16, row.few));
    }
    const Buffer left = Pack(DType::kBF16, a), right = Pack(DType::kBF16, b);
    for (const Buffer& other : {left, right}) {
      const auto got = CompareElements(DType::kBF16, left.data(), other.data(), a.size());
      ExpectSums(got, ElementReference(DType::kBF16).Compare(left.data(), other.data(), a.size()));
      long double squares = 0;
      for (const std::uint64_t bits : a) {
        const long double value = ValueOf(DType::kBF16, bits);
        squares += value * value;
      }
      const auto exact = static_cast<double>(squares);
      EXPECT_NEAR(got.sum_aa, exact, exact * 2e-6);
    }
  }
}

// The candidate is the reference times this, and a little more or less.
TEST(ElementSums, ProductsFollowFromSquaresWhereNeitherSideIsFarLarger) {
  for (const DType dtype : {DType::kF16, DType::kBF16}) {
    for (const double scale : {1.0, -1.0, 0.0, 15.0, 17.0, 1 / 15.0, 1 / 17.0, 1 / 1000.0}) {
      SCOPED_TRACE(std::string(NameOf(dtype)) + " times " + std::to_string(scale));
      std::mt19937_64 random(7);
      std::normal_distribution<double> normal;
      std::vector<std::uint64_t> a, b;
      long double squares_a = 0, squares_b = 0, products = 0;
      for (int i = 0; i < 9001; ++i) {
        a.push_back(NearestFloat(dtype, normal(random)));
        const long double x = ValueOf(dtype, a.back());
        b.push_back(
            NearestFloat(dtype, static_cast<double>(x) * scale * (1 + 0.01 * normal(random))));
        const long double y = ValueOf(dtype, b.back());
        squares_a += x * x;
        squares_b += y * y;
        products += x * y;
      }
      const Buffer left = Pack(dtype, a), right = Pack(dtype, b);
      const auto got = CompareElements(dtype, left.data(), right.data(), a.size());
      ExpectSums(got, ElementReference(dtype).Compare(left.data(), right.data(), a.size()));
      const auto both = static_cast<double>(std::sqrt(squares_a * squares_b));
      EXPECT_NEAR(got.sum_ab, static_cast<double>(products), 2e-6 * both);
      EXPECT_NEAR(got.sum_bb, static_cast<double>(squares_b),
                  2e-6 * static_cast<double>(squares_b));
    }
  }
}

TEST(ElementSums, ALaneAddsARunInF32) {
  // 1 + 2^-24 is lost in f32 when added to 1, and not from one run to the next.
  std::vector<std::uint64_t> elements(2048, 0);
  elements[0] = NearestFloat(DType::kBF16, 1);
  elements[1] = NearestFloat(DType::kBF16, 0x1p-12);
  elements[1024] = NearestFloat(DType::kBF16, 0x1p-12);
  const Buffer a = Pack(DType::kBF16, elements);
  EXPECT_EQ(CompareElements(DType::kBF16, a.data(), a.data(), 2048).sum_aa, 1 + 0x1p-24);
  EXPECT_EQ(CompareElements(DType::kBF16, a.data(), a.data(), 2).sum_aa, 1);
}

TEST(ElementSums, OnlyFloatsOf16BitsHaveRuns) {
  EXPECT_TRUE(kHasRuns<F16>);
  EXPECT_TRUE(kHasRuns<BF16>);
  EXPECT_FALSE(kHasRuns<F32>);
  EXPECT_FALSE(kHasRuns<E8M0>);
  EXPECT_FALSE(kHasRuns<IntegerFormat<std::int16_t>>);
}

}  // namespace
}  // namespace parity
