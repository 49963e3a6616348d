// One named case for each thing that kernels/elements.h promises.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "kernels/elements.h"
#include "kernels/host_device.h"

namespace parity {
namespace {

using Buffer = std::vector<unsigned char>;

template <typename T>
ElementStats Compare(DType dtype, std::vector<T> a, std::vector<T> b) {
  return CompareElements(dtype, a.data(), b.data(), a.size());
}

// One pair moves one counter, and nothing else of that row.
struct CounterRow {
  const char* name;
  float a, b;
  std::uint64_t ElementStats::*counter;
};

TEST(ElementCasesTest, EveryCounterHasAPairThatMovesIt) {
  const float nan = std::nanf(""), infinity = HUGE_VALF;
  const CounterRow rows[] = {
      {"signed zero", 0.0f, -0.0f, &ElementStats::signed_zero},
      {"payload", nan, -nan, &ElementStats::nan_payload},
      {"NaN in reference", nan, 1, &ElementStats::nan_only_reference},
      {"NaN in candidate", -infinity, nan, &ElementStats::nan_only_candidate},
      {"infinity in reference", infinity, 1, &ElementStats::infinity_only_reference},
      {"infinity in candidate", 1, -infinity, &ElementStats::infinity_only_candidate},
      {"opposite infinities", infinity, -infinity, &ElementStats::infinity_opposite},
  };
  std::uint64_t ElementStats::*const counters[] = {&ElementStats::signed_zero,
                                                   &ElementStats::nan_payload,
                                                   &ElementStats::nan_only_reference,
                                                   &ElementStats::nan_only_candidate,
                                                   &ElementStats::infinity_only_reference,
                                                   &ElementStats::infinity_only_candidate,
                                                   &ElementStats::infinity_opposite};
  for (const CounterRow& row : rows) {
    SCOPED_TRACE(row.name);
    const ElementStats stats = Compare<float>(DType::kF32, {1, row.a, 2}, {1, row.b, 2});
    EXPECT_EQ(stats.compared, 3u);
    EXPECT_EQ(stats.different, 1u);
    EXPECT_EQ(stats.first_index, 1u);
    EXPECT_EQ(stats.worst_index, 1u);
    EXPECT_EQ(stats.max_abs, 0);
    EXPECT_EQ(stats.max_rel, 0);
    for (const auto counter : counters) EXPECT_EQ(stats.*counter, counter == row.counter ? 1u : 0u);
    EXPECT_FALSE(stats.Identical());
    EXPECT_EQ(stats.ValueIdentical(), row.counter == &ElementStats::signed_zero ||
                                          row.counter == &ElementStats::nan_payload);
  }
}

TEST(ElementCasesTest, FiniteDifferencesAreMeasured) {
  const ElementStats stats = Compare<float>(DType::kF32, {1, 2, 4, 8}, {1, 2.5f, 3, 8});
  EXPECT_EQ(stats.different, 2u);
  EXPECT_EQ(stats.max_abs, 1);
  EXPECT_EQ(stats.max_rel, 0.25f);
  EXPECT_EQ(stats.max_ulp, 0x400000u);
  EXPECT_EQ(stats.worst_index, 2u);
  EXPECT_EQ(stats.ulp_histogram[0], 2u);
  EXPECT_EQ(stats.ulp_histogram[22], 1u);
  EXPECT_EQ(stats.ulp_histogram[23], 1u);
  EXPECT_EQ(stats.sum_dd, 1.25);
  EXPECT_EQ(stats.sum_aa, 85);
  EXPECT_EQ(stats.sum_bb, 80.25);
  EXPECT_EQ(stats.sum_ab, 82);
  EXPECT_FALSE(stats.ValueIdentical());
}

TEST(ElementCasesTest, IntegersBeyondTheMantissaOfADoubleAreComparedAsIntegers) {
  const std::int64_t big = std::int64_t{1} << 53;
  const ElementStats stats = Compare<std::int64_t>(DType::kI64, {big, -big}, {big + 1, -big});
  EXPECT_EQ(stats.different, 1u);
  EXPECT_EQ(stats.signed_zero, 0u);
  EXPECT_EQ(stats.max_ulp, 1u);
  EXPECT_EQ(stats.max_abs, 1);
  EXPECT_FALSE(stats.ValueIdentical());
  const std::uint64_t top = ~std::uint64_t{0};
  const ElementStats wide = Compare<std::uint64_t>(DType::kU64, {top, top}, {top - 1, 0});
  EXPECT_EQ(wide.max_ulp, top);
  EXPECT_EQ(wide.max_abs, 0x1p64);
  EXPECT_EQ(wide.signed_zero, 0u);
  EXPECT_EQ(wide.ulp_histogram[64], 1u);
  EXPECT_EQ(wide.worst_index, 1u);
}

TEST(ElementCasesTest, OneSidedNanIsCountedBesideADistanceAndIsWorst) {
  const float nan = std::nanf("");
  const ElementStats stats = Compare<float>(DType::kF32, {1, 1, 1, nan, 1}, {2, 9, nan, 1, 1e30f});
  EXPECT_EQ(stats.nan_only_candidate, 1u);
  EXPECT_EQ(stats.nan_only_reference, 1u);
  EXPECT_EQ(stats.different, 5u);
  EXPECT_EQ(stats.worst_index, 2u);
  EXPECT_EQ(stats.first_index, 0u);
  EXPECT_EQ(stats.max_ulp, BitCast<std::uint32_t>(1e30f) - BitCast<std::uint32_t>(1.0f));
}

TEST(ElementCasesTest, WorstIndexIsTheLowestOfEquals) {
  EXPECT_EQ(Compare<std::int32_t>(DType::kI32, {5, 5, 5, 5}, {5, 6, 3, 7}).worst_index, 2u);
  EXPECT_EQ(Compare<float>(DType::kF32, {0, 0, 1}, {0, -0.0f, 1}).worst_index, 1u);
}

TEST(ElementCasesTest, EqualNansAreLeftOutOfTheHistogramAndTheSums) {
  const float nan = std::nanf("");
  const ElementStats stats = Compare<float>(DType::kF32, {nan, 3, HUGE_VALF}, {nan, 3, HUGE_VALF});
  EXPECT_TRUE(stats.Identical());
  EXPECT_EQ(stats.ulp_histogram[0], 2u);
  EXPECT_EQ(stats.sum_aa, 9);
  EXPECT_EQ(stats.sum_ab, 9);
}

TEST(ElementCasesTest, BoolIsComparedByBits) {
  const ElementStats stats = Compare<std::uint8_t>(DType::kBool, {1, 0}, {2, 0});
  EXPECT_EQ(stats.different, 1u);
  EXPECT_EQ(stats.max_ulp, 1u);
}

TEST(ElementCasesTest, BytesAreNotNumbers) {
  const ElementStats stats = Compare<std::uint8_t>(DType::kBytes, {1, 0, 9}, {1, 255, 8});
  EXPECT_EQ(stats.compared, 3u);
  EXPECT_EQ(stats.different, 2u);
  EXPECT_EQ(stats.first_index, 1u);
  EXPECT_EQ(stats.worst_index, 1u);
  EXPECT_EQ(stats.max_ulp, 0u);
  EXPECT_EQ(stats.sum_aa, 0);
  EXPECT_EQ(stats.ulp_histogram[0], 0u);
}

TEST(ElementCasesTest, SumsOfEightBitTypesAreRoundedOnce) {
  const std::uint64_t large = 1 << 20, small_tiles = 16;
  Buffer a(large, 0x7e);  // 448
  a.resize(large + small_tiles * 4096, 0);
  for (std::uint64_t i = 0; i < small_tiles; ++i) a[large + i * 4096] = 0x01;  // 2^-9
  const ElementStats stats = CompareElements(DType::kE4M3, a.data(), a.data(), a.size());
  const double sum = 448.0 * 448.0 * static_cast<double>(large);
  EXPECT_EQ(sum + 0x1p-18, sum) << "the test needs addends that get lost one by one";
  EXPECT_EQ(stats.sum_aa, sum + 16 * 0x1p-18);
  EXPECT_GT(stats.sum_aa, sum);
}

TEST(ElementCasesTest, RejectsWhatIsNoDType) {
  EXPECT_THROW(CompareElements(static_cast<DType>(77), nullptr, nullptr, 0), std::invalid_argument);
}

struct RatioRow {
  const char* name;
  double dd, aa, bb, ab;
  double nrmse, cosine;
};

TEST(ElementCasesTest, RatiosOfSums) {
  const double infinity = HUGE_VAL;
  const RatioRow rows[] = {
      {"nothing", 0, 0, 0, 0, 0, 1},
      {"equal", 0, 9, 9, 9, 0, 1},
      {"half off", 1, 4, 9, 6, 0.5, 1},
      {"orthogonal", 8, 4, 4, 0, std::sqrt(2.0), 0},
      {"opposite", 16, 4, 4, -4, 2, -1},
      {"reference zero", 4, 0, 4, 0, infinity, 0},
      {"candidate zero", 4, 4, 0, 0, 1, 0},
      {"product underflows", 0, 1e-300, 1e-300, 1e-300, 0, 1},
      {"product underflows, half alike", 1e-300, 1e-300, 4e-300, 1e-300, 1, 0.5},
      {"differences overflow", infinity, 4, 4, 4, infinity, 1},
      {"reference overflows", 1, infinity, 4, 4, infinity, NAN},
  };
  for (const RatioRow& row : rows) {
    ElementStats stats;
    stats.sum_dd = row.dd;
    stats.sum_aa = row.aa;
    stats.sum_bb = row.bb;
    stats.sum_ab = row.ab;
    EXPECT_EQ(stats.Nrmse(), row.nrmse) << row.name;
    EXPECT_EQ(std::isnan(stats.Cosine()), std::isnan(row.cosine)) << row.name;
    if (!std::isnan(row.cosine)) {
      EXPECT_NEAR(stats.Cosine(), row.cosine, 1e-15) << row.name;
    }
  }
}

TEST(ElementCasesTest, MergePutsANanBeforeALargerDistance) {
  const float nan = std::nanf("");
  ElementStats merged = Compare<float>(DType::kF32, {1, 1}, {1, 1e30f});
  EXPECT_EQ(merged.worst_index, 1u);
  merged.Merge(Compare<float>(DType::kF32, {1, 1}, {1, nan}), 2);
  EXPECT_EQ(merged.worst_index, 3u);
  merged.Merge(Compare<float>(DType::kF32, {1, -1e30f}, {nan, 1e30f}), 4);
  EXPECT_EQ(merged.worst_index, 3u);
  EXPECT_EQ(merged.first_index, 1u);
  EXPECT_EQ(merged.compared, 6u);
}

TEST(ElementCasesTest, MergeDoesNotNeedOrder) {
  ElementStats merged;
  merged.Merge(Compare<std::int32_t>(DType::kI32, {0, 0}, {0, 3}), 10);
  merged.Merge(Compare<std::int32_t>(DType::kI32, {0, 0}, {3, 1}), 0);
  EXPECT_EQ(merged.worst_index, 0u);
  EXPECT_EQ(merged.first_index, 0u);
  EXPECT_EQ(merged.max_ulp, 3u);
  merged.Merge(ElementStats{}, 99);
  EXPECT_EQ(merged.different, 3u);
  EXPECT_EQ(merged.first_index, 0u);
}

}  // namespace
}  // namespace parity
