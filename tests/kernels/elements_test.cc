#include "kernels/elements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/kernels/element_reference.h"
#include "tests/kernels/reference.h"

namespace parity {
namespace {

// EXPECT_EQ that takes NaN for itself: sums of f64 squares may overflow into one.
void ExpectSame(double got, double expected, const char* what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(got)) << what;
  } else {
    EXPECT_EQ(got, expected) << what;
  }
}

void ExpectCounts(const ElementStats& got, const ElementStats& expected) {
  EXPECT_EQ(got.compared, expected.compared);
  EXPECT_EQ(got.different, expected.different);
  EXPECT_EQ(got.signed_zero, expected.signed_zero);
  EXPECT_EQ(got.nan_payload, expected.nan_payload);
  EXPECT_EQ(got.nan_only_reference, expected.nan_only_reference);
  EXPECT_EQ(got.nan_only_candidate, expected.nan_only_candidate);
  EXPECT_EQ(got.infinity_only_reference, expected.infinity_only_reference);
  EXPECT_EQ(got.infinity_only_candidate, expected.infinity_only_candidate);
  EXPECT_EQ(got.infinity_opposite, expected.infinity_opposite);
  EXPECT_EQ(got.max_abs, expected.max_abs);
  EXPECT_EQ(got.max_rel, expected.max_rel);
  EXPECT_EQ(got.max_ulp, expected.max_ulp);
  EXPECT_EQ(got.first_index, expected.first_index);
  EXPECT_EQ(got.worst_index, expected.worst_index);
  EXPECT_EQ(got.ulp_histogram, expected.ulp_histogram);
}

void ExpectStats(const ElementStats& got, const ElementStats& expected) {
  ExpectCounts(got, expected);
  ExpectSame(got.sum_dd, expected.sum_dd, "sum_dd");
  ExpectSame(got.sum_aa, expected.sum_aa, "sum_aa");
  ExpectSame(got.sum_bb, expected.sum_bb, "sum_bb");
  ExpectSame(got.sum_ab, expected.sum_ab, "sum_ab");
}

// Pointers to copies that start at an odd address.
void ExpectAsReference(DType dtype, const Buffer& a, const Buffer& b, std::uint64_t count,
                       std::uint64_t first = 0) {
  Buffer shifted_a(a.size() + 1), shifted_b(b.size() + 3);
  std::copy(a.begin(), a.end(), shifted_a.begin() + 1);
  std::copy(b.begin(), b.end(), shifted_b.begin() + 3);
  ExpectStats(CompareElements(dtype, shifted_a.data() + 1, shifted_b.data() + 3, count, first),
              ElementReference(dtype).Compare(a.data(), b.data(), count, first));
}

// Random elements; each differs from its partner with one chance in `rarity`, mostly by few ulp.
struct Pair {
  Buffer a, b;
};
Pair RandomPair(DType dtype, std::uint64_t count, unsigned rarity, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> a(count), b(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    a[i] = b[i] = RandomElement(dtype, random);
    if (random() % rarity != 0) continue;
    b[i] = random() % 4 == 0 ? RandomElement(dtype, random) : a[i] ^ (1 + random() % 7);
  }
  return {Pack(dtype, a), Pack(dtype, b)};
}

class ElementsOfDTypeTest : public testing::TestWithParam<DType> {};

TEST_P(ElementsOfDTypeTest, ZeroElementsCompareNothing) {
  const ElementStats stats = CompareElements(GetParam(), nullptr, nullptr, 0);
  ExpectStats(stats, ElementStats{});
  EXPECT_EQ(stats.compared, 0u);
  EXPECT_EQ(stats.first_index, ElementStats::kNoIndex);
}

TEST_P(ElementsOfDTypeTest, AgreesWithTheReferenceAtEverySizeAndRarity) {
  for (const std::uint64_t count : {1, 2, 15, 16, 17, 63, 65, 4095, 4096, 4097, 8192, 20001}) {
    for (const unsigned rarity : {1u, 50u, 10000u}) {
      SCOPED_TRACE(testing::Message() << count << " elements, 1 in " << rarity << " differs");
      const Pair pair = RandomPair(GetParam(), count, rarity, count * 7 + rarity);
      ExpectAsReference(GetParam(), pair.a, pair.b, count);
      ExpectAsReference(GetParam(), pair.a, pair.a, count);
      if (count > 3) ExpectAsReference(GetParam(), pair.a, pair.b, count - 3, 3);
      if (count > 3) ExpectAsReference(GetParam(), pair.a, pair.a, count - 3, 2);
    }
  }
}

// Finite elements but for one in `special`, each within `ulp` of its partner.
Pair NearPair(DType dtype, std::uint64_t count, std::uint64_t ulp, std::uint64_t special,
              std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> a(count), b(count);
  const std::uint64_t finite = IsFloat(dtype) ? FieldsOf(dtype).largest + 1 : MaskOf(dtype);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t sign = random() & SignBitOf(dtype) & (IsFloat(dtype) ? ~0ull : 0);
    a[i] = sign | random() % finite;
    b[i] = sign | ((a[i] & ~sign) + random() % (ulp + 1)) % finite;
    if (special != 0 && random() % special == 0) a[i] = RandomElement(dtype, random);
    if (special != 0 && random() % special == 0) b[i] = RandomElement(dtype, random);
  }
  return {Pack(dtype, a), Pack(dtype, b)};
}

TEST_P(ElementsOfDTypeTest, AgreesWithTheReferenceWhereFewElementsAreNotFinite) {
  std::uint64_t seed = 0;
  for (const std::uint64_t count : {255, 256, 1000, 4098}) {
    for (const std::uint64_t ulp : {0u, 1u, 7u, 60000u}) {
      for (const std::uint64_t special : {0, 5000}) {
        SCOPED_TRACE(testing::Message() << count << " elements within " << ulp << " ulp, 1 in "
                                        << special << " special");
        const Pair pair = NearPair(GetParam(), count, ulp, special, ++seed);
        ExpectAsReference(GetParam(), pair.a, pair.b, count);
        ExpectAsReference(GetParam(), pair.a, pair.a, count);
        ExpectAsReference(GetParam(), pair.a, pair.b, count - 5, 5);
      }
    }
  }
}

TEST_P(ElementsOfDTypeTest, AgreesWithTheReferenceOnMoreThanATableOfPairs) {
  const Pair pair = NearPair(GetParam(), 70001, 7, 5000, 3);
  ExpectAsReference(GetParam(), pair.a, pair.b, 70000, 1);
}

// Each maximum is displaced by a larger one in the last place that is looked at, and not by an
// equal one.
TEST_P(ElementsOfDTypeTest, AMaximumMayBeAnywhereAndIsTheFirst) {
  const DType dtype = GetParam();
  const std::uint64_t count = 9000;
  const std::uint64_t one = IsFloat(dtype) ? NearestFloat(dtype, 1) : 1;
  for (const std::uint64_t at : {0, 1, 255, 256, 4095, 4096, 8999}) {
    std::vector<std::uint64_t> a(count, one), b(count, one);
    for (std::uint64_t i = 0; i < count; i += 3) b[i] = one ^ 1;
    b[at] = one + 2;
    if (at + 1 < count) b[count - 1] = one + 2;
    ExpectAsReference(dtype, Pack(dtype, a), Pack(dtype, b), count);
  }
}

TEST_P(ElementsOfDTypeTest, ATailIsNotReadBeyond) {
  const DType dtype = GetParam();
  for (const std::uint64_t last : {4998u, 4999u}) {
    std::mt19937_64 random(last);
    std::vector<std::uint64_t> elements(last + 1);
    for (auto& element : elements) element = RandomElement(dtype, random);
    const Buffer a = Pack(dtype, elements);
    elements.back() ^= 1;
    const Buffer b = Pack(dtype, elements);
    EXPECT_TRUE(CompareElements(dtype, a.data(), b.data(), last).Identical());
    EXPECT_TRUE(CompareElements(dtype, a.data(), b.data(), last - 1, 1).Identical());
    const ElementStats whole = CompareElements(dtype, a.data(), b.data(), last + 1);
    EXPECT_EQ(whole.first_index, last);
    EXPECT_EQ(whole.worst_index, last);
    EXPECT_EQ(CompareElements(dtype, a.data(), b.data(), 1, last).first_index, 0u);
    EXPECT_EQ(CompareElements(dtype, b.data(), a.data(), last, 1).first_index, last - 1);
  }
}

TEST_P(ElementsOfDTypeTest, MergeOfPartsIsTheWhole) {
  const DType dtype = GetParam();
  const std::uint64_t count = 9000;
  for (const unsigned rarity : {1u, 2000u}) {
    const Pair pair = RandomPair(dtype, count, rarity, rarity);
    const ElementStats whole = CompareElements(dtype, pair.a.data(), pair.b.data(), count);
    for (const std::uint64_t step : {1000, 4096, 8999, 9000}) {
      ElementStats merged;
      for (std::uint64_t begin = 0; begin < count; begin += step) {
        const std::uint64_t size = std::min(step, count - begin);
        merged.Merge(CompareElements(dtype, pair.a.data(), pair.b.data(), size, begin), begin);
      }
      ExpectCounts(merged, whole);
      if (!std::isfinite(whole.sum_aa) || !std::isfinite(whole.sum_bb)) continue;
      // Runs that are cut elsewhere round elsewhere, in f32.
      const double near = dtype == DType::kF16 || dtype == DType::kBF16 ? 2e-6 : 1e-12;
      EXPECT_NEAR(merged.sum_dd, whole.sum_dd, whole.sum_dd * near);
      EXPECT_NEAR(merged.sum_aa, whole.sum_aa, whole.sum_aa * near);
      EXPECT_NEAR(merged.sum_bb, whole.sum_bb, whole.sum_bb * near);
      EXPECT_NEAR(merged.sum_ab, whole.sum_ab, std::sqrt(whole.sum_aa * whole.sum_bb) * near);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllDTypes, ElementsOfDTypeTest, testing::ValuesIn(AllDTypes()),
                         [](const auto& info) { return TestNameOf(info.param); });

class AllPairsTest : public testing::TestWithParam<DType> {};

TEST_P(AllPairsTest, AgreeWithTheReferenceTogetherAndOneByOne) {
  const DType dtype = GetParam();
  Buffer a, b;
  for (int x = 0; x < 256; ++x) {
    for (int y = 0; y < 256; ++y) {
      a.push_back(static_cast<unsigned char>(x));
      b.push_back(static_cast<unsigned char>(y));
    }
  }
  ExpectAsReference(dtype, a, b, a.size());
  for (std::size_t i = 0; i < a.size() && !HasFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << int{a[i]} << " against " << int{b[i]});
    ExpectStats(CompareElements(dtype, &a[i], &b[i], 1),
                ElementReference(dtype).Compare(&a[i], &b[i], 1));
  }
}

INSTANTIATE_TEST_SUITE_P(EightBits, AllPairsTest,
                         testing::Values(DType::kE4M3, DType::kE5M2, DType::kE8M0, DType::kI8,
                                         DType::kU8, DType::kBool, DType::kBytes),
                         [](const auto& info) { return TestNameOf(info.param); });

TEST(AllPairsOfE2M1Test, AgreeWithTheReferenceTogetherAndOneByOne) {
  std::vector<std::uint64_t> x, y;
  for (std::uint64_t i = 0; i < 256; ++i) {
    x.push_back(i % 16);
    y.push_back(i / 16);
  }
  const Buffer a = Pack(DType::kE2M1, x), b = Pack(DType::kE2M1, y);
  for (std::uint64_t first = 0; first < 256; ++first) {
    SCOPED_TRACE(testing::Message() << x[first] << " against " << y[first]);
    ExpectAsReference(DType::kE2M1, a, b, 256 - first, first);
    ExpectAsReference(DType::kE2M1, a, b, 1, first);
  }
}

}  // namespace
}  // namespace parity
