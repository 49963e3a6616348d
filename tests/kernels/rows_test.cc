#include "kernels/rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/kernels/reference.h"
#include "tests/kernels/row_reference.h"

namespace parity {
namespace {

constexpr double kInfinity = HUGE_VAL;
const double kNan = std::nan("");

Logits LogitsOf(DType dtype, const Buffer& row, std::size_t columns) {
  Logits logits(columns);
  for (std::size_t i = 0; i < logits.size(); ++i)
    logits[i] = ValueOf(dtype, BitsAt(dtype, row.data(), i));
  return logits;
}

void ExpectKl(double got, double expected) {
  if (std::isinf(expected)) {
    EXPECT_EQ(got, expected);
  } else {
    EXPECT_NEAR(got, expected, expected * 1e-10 + 1e-17);
  }
}

void ExpectRow(const RowStats& got, const RowStats& expected) {
  EXPECT_EQ(got.argmax_reference, expected.argmax_reference);
  EXPECT_EQ(got.argmax_candidate, expected.argmax_candidate);
  EXPECT_EQ(got.rank, expected.rank);
  EXPECT_EQ(got.top_overlap, expected.top_overlap);
  EXPECT_EQ(got.mask_mismatch, expected.mask_mismatch);
  EXPECT_EQ(got.nan_reference, expected.nan_reference);
  EXPECT_EQ(got.nan_candidate, expected.nan_candidate);
  ExpectKl(got.kl, expected.kl);
  ExpectKl(got.kl_reverse, expected.kl_reverse);
}

// One row of the dtype's values nearest to `a` and `b`.
RowStats CompareValues(DType dtype, const std::vector<double>& a, const std::vector<double>& b) {
  const Buffer x = PackValues(dtype, a), y = PackValues(dtype, b);
  const auto columns = static_cast<std::uint32_t>(a.size());
  const std::vector<RowStats> rows = CompareRows(dtype, columns, 1, x.data(), y.data());
  EXPECT_EQ(rows.size(), 1u);
  ExpectRow(rows.at(0), ReferenceRow(LogitsOf(dtype, x, columns), LogitsOf(dtype, y, columns)));
  EXPECT_EQ(rows.at(0).identical, x == y);
  return rows.at(0);
}

RowStats CompareF64(const std::vector<double>& a, const std::vector<double>& b) {
  return CompareValues(DType::kF64, a, b);
}

class RowsOfDTypeTest : public testing::TestWithParam<DType> {};

TEST_P(RowsOfDTypeTest, AgreesWithTheReferenceOnRandomRows) {
  const bool has_infinity = FieldsOf(GetParam()).infinity;
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  for (const std::uint32_t columns : {1u, 2u, 7u, 19u, 20u, 21u, 1000u}) {
    for (const double noise : {0.0, 1e-6, 1e-3, 1.0, 30.0}) {
      for (const bool masks : {false, true}) {
        SCOPED_TRACE(testing::Message() << columns << " columns, noise " << noise);
        std::vector<double> a(columns), b(columns);
        for (std::uint32_t i = 0; i < columns; ++i) {
          a[i] = 4 * normal(random);
          b[i] = a[i] + noise * normal(random);
          if (masks && has_infinity && random() % 4 == 0) a[i] = b[i] = -kInfinity;
          if (masks && random() % 16 == 0) a[i] = b[i] = kNan;
        }
        CompareValues(GetParam(), a, b);
      }
    }
  }
}

class RowsOfUsualDTypeTest : public testing::TestWithParam<DType> {};

TEST_P(RowsOfUsualDTypeTest, IdenticalRowsDivergeByNothing) {
  const RowStats stats = CompareValues(GetParam(), {1, 2, -3, kNan}, {1, 2, -3, kNan});
  EXPECT_TRUE(stats.identical);
  EXPECT_EQ(stats.kl, 0);
  EXPECT_EQ(stats.kl_reverse, 0);
  EXPECT_EQ(stats.rank, 1u);
  EXPECT_EQ(stats.margin, 1);
  EXPECT_EQ(stats.top_overlap, 4u);
  EXPECT_EQ(stats.nan_reference, 1u);
  EXPECT_EQ(stats.nan_candidate, 1u);
  EXPECT_FALSE(stats.Flip());
}

TEST_P(RowsOfDTypeTest, ZeroRowsCompareNothing) {
  EXPECT_TRUE(CompareRows(GetParam(), 5, 0, nullptr, nullptr).empty());
}

TEST_P(RowsOfDTypeTest, RowsMayLieAtAnyAddress) {
  const DType dtype = GetParam();
  const Buffer a = PackValues(dtype, {1, 2, 4, 4, 2, 1}), b = PackValues(dtype, {1, 2, 4, 1, 2, 4});
  Buffer x(a.size() + 1), y(b.size() + 3);
  std::copy(a.begin(), a.end(), x.begin() + 1);
  std::copy(b.begin(), b.end(), y.begin() + 3);
  const std::vector<RowStats> rows = CompareRows(dtype, 3, 2, x.data() + 1, y.data() + 3);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_TRUE(rows[0].identical);
  EXPECT_FALSE(rows[1].identical);
  EXPECT_EQ(rows[1].argmax_reference, 0u);
  EXPECT_EQ(rows[1].argmax_candidate, 2u);
  EXPECT_EQ(rows[1].rank, 3u);
  EXPECT_TRUE(rows[1].Flip());
}

INSTANTIATE_TEST_SUITE_P(AllFloats, RowsOfDTypeTest, testing::ValuesIn(FloatDTypes()),
                         [](const auto& info) { return TestNameOf(info.param); });

INSTANTIATE_TEST_SUITE_P(SignedWithNan, RowsOfUsualDTypeTest, testing::ValuesIn(UsualFloatDTypes()),
                         [](const auto& info) { return TestNameOf(info.param); });

struct SpecialRow {
  const char* name;
  std::vector<double> a, b;
  double kl, kl_reverse;
};

TEST(RowsTest, SpecialRows) {
  const double inf = kInfinity, log2 = std::log(2.0);
  const SpecialRow rows[] = {
      {"masked on both sides", {0, 0, -inf}, {1, 1, -inf}, 0, 0},
      {"masked in the candidate", {0, 0}, {0, -inf}, inf, log2},
      {"masked in the reference", {0, -inf}, {0, 0}, log2, inf},
      {"masked crosswise", {0, -inf, 1}, {-inf, 0, 1}, inf, inf},
      {"masked by number and by infinity", {0, 1, -1e30}, {0, 1, -inf}, 0, 0},
      {"all masked", {-inf, -inf}, {-inf, -inf}, 0, 0},
      {"reference all masked", {-inf, -inf}, {0, -inf}, inf, inf},
      {"candidate all masked", {0, -inf}, {-inf, -inf}, inf, inf},
      {"NaN in the reference", {0, kNan}, {0, 0}, inf, inf},
      {"NaN in the candidate", {0, 0, 5}, {0, kNan, 5}, inf, inf},
      {"negative NaN in the candidate", {0, 0, 5}, {0, -kNan, 5}, inf, inf},
      {"NaN against a mask", {0, kNan}, {0, -inf}, inf, inf},
      {"NaN on both sides", {0, kNan, 0}, {1, -kNan, 1}, 0, 0},
      {"NaN everywhere", {kNan, kNan}, {-kNan, -kNan}, 0, 0},
      {"infinity on both sides", {inf, 3}, {inf, 5}, 0, 0},
      {"infinities share", {inf, inf, 0}, {0, 0, -1e300}, 0, 0},
      {"two infinities against one", {inf, inf}, {inf, 0}, inf, log2},
      {"infinity against a number", {0, 0}, {inf, 0}, inf, log2},
      {"shifted", {1, 2, 3}, {1001, 1002, 1003}, 0, 0},
      {"signed zeros", {0.0, 0.0}, {-0.0, 0.0}, 0, 0},
      {"one column", {3}, {4}, 0, 0},
      {"largest numbers", {1e308, -1e308}, {1e308, -1e308 / 2}, 0, 0},
  };
  for (const SpecialRow& row : rows) {
    SCOPED_TRACE(row.name);
    const RowStats stats = CompareF64(row.a, row.b);
    ExpectKl(stats.kl, row.kl);
    ExpectKl(stats.kl_reverse, row.kl_reverse);
  }
}

TEST(RowsTest, MasksOnOneSideAreCounted) {
  const double inf = kInfinity;
  EXPECT_EQ(CompareF64({0, -inf, -inf, -inf}, {0, -inf, 1, kNan}).mask_mismatch, 2u);
  EXPECT_EQ(CompareF64({0, -inf}, {1, -inf}).mask_mismatch, 0u);
  EXPECT_EQ(CompareF64({0, inf}, {1, -inf}).mask_mismatch, 1u);
}

TEST(RowsTest, AMillionthOfAMillionthIsToldFromZero) {
  std::vector<double> a(1000), b;
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::sin(static_cast<double>(i));
  b = a;
  b[500] += 5e-5;
  const RowStats stats = CompareF64(a, b);
  EXPECT_GT(stats.kl, 1e-13);
  EXPECT_LT(stats.kl, 5e-12);
  EXPECT_NEAR(stats.kl_reverse, stats.kl, stats.kl * 1e-4);
  EXPECT_FALSE(stats.identical);
}

struct MarginRow {
  const char* name;
  std::vector<double> row;
  double margin;
};

TEST(RowsTest, MarginIsThatOfTheReference) {
  const MarginRow rows[] = {
      {"two", {1, 4, 2.5}, 1.5},
      {"tie", {4, 1, 4}, 0},
      {"signed zeros", {0.0, -0.0}, 0},
      {"one column", {7}, kInfinity},
      {"second masked", {7, -kInfinity}, kInfinity},
      {"second NaN", {7, kNan}, kInfinity},
      {"all NaN", {kNan, kNan}, 0},
      {"all masked", {-kInfinity, -kInfinity}, 0},
      {"infinities", {kInfinity, kInfinity}, 0},
  };
  for (const MarginRow& row : rows) {
    std::vector<double> other(row.row.size(), 9);
    EXPECT_EQ(CompareF64(row.row, other).margin, row.margin) << row.name;
  }
}

TEST(RowsTest, ChoiceIsTheLowestIndexAndNeverNan) {
  EXPECT_EQ(CompareF64({1, 3, 3}, {3, 3, 1}).argmax_reference, 1u);
  EXPECT_EQ(CompareF64({1, 3, 3}, {3, 3, 1}).argmax_candidate, 0u);
  EXPECT_EQ(CompareF64({-0.0, 0.0}, {0.0, -0.0}).argmax_reference, 0u);
  EXPECT_EQ(CompareF64({kNan, -kInfinity, -kNan}, {1, 2, 3}).argmax_reference, 1u);
  EXPECT_EQ(CompareF64({kNan, -5}, {-kNan, -5}).argmax_candidate, 1u);
}

TEST(RowsTest, RankOfAChoiceThatBecameNanIsLast) {
  EXPECT_EQ(CompareF64({0, 9, 1, -kInfinity}, {0, kNan, 1, -kInfinity}).rank, 4u);
}

TEST(RowsTest, RejectsOtherDTypesAndRowsWithoutColumns) {
  EXPECT_THROW(CompareRows(DType::kI32, 4, 0, nullptr, nullptr), std::invalid_argument);
  EXPECT_THROW(CompareRows(DType::kBytes, 4, 0, nullptr, nullptr), std::invalid_argument);
  EXPECT_THROW(CompareRows(DType::kF32, 0, 1, nullptr, nullptr), std::invalid_argument);
}

}  // namespace
}  // namespace parity
