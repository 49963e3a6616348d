#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "kernels/cuda/cuda_kernels.h"
#include "kernels/elements.h"
#include "tests/kernels/device_array.h"
#include "tests/kernels/reference.h"

namespace parity {
namespace {

enum class Data { kEqual, kFew, kNear, kNoise, kHostile, kUnrelated, kRanges, kSparse };
constexpr Data kAllData[] = {Data::kEqual,   Data::kFew,       Data::kNear,   Data::kNoise,
                             Data::kHostile, Data::kUnrelated, Data::kRanges, Data::kSparse};

std::uint64_t FiniteElement(DType dtype, std::mt19937_64& random) {
  if (!IsFloat(dtype)) return random() & MaskOf(dtype);
  if (dtype == DType::kE8M0) return random() % 0xff;
  const std::uint64_t sign = random() & SignBitOf(dtype);
  return sign | random() % (FieldsOf(dtype).largest + 1);
}

// Stretches of zeros and of magnitudes from one part each of those that the dtype has.
std::uint64_t RangedElement(DType dtype, std::uint64_t index, std::mt19937_64& random) {
  if (!IsFloat(dtype) || dtype == DType::kE8M0) return FiniteElement(dtype, random);
  const std::uint64_t stretch = index / 200 * 2654435761u >> 8, largest = FieldsOf(dtype).largest;
  if (stretch % 10 == 9) return random() & SignBitOf(dtype);
  const std::uint64_t magnitude = largest / 9 * (stretch % 9) + random() % (largest / 9 + 1);
  return (random() & SignBitOf(dtype)) | std::min(magnitude, largest);
}

// The candidate's element for the reference's.
std::uint64_t Partner(DType dtype, Data data, std::uint64_t bits, std::mt19937_64& random) {
  switch (data) {
    case Data::kEqual:
      return bits;
    case Data::kFew:
      return random() % 1000 == 0 ? RandomElement(dtype, random) : bits;
    case Data::kNear:  // 1 to 3 steps away, as bits
      return (bits + 1 + random() % 3) & MaskOf(dtype);
    case Data::kNoise:
      return random() % 8 == 0 ? bits : FiniteElement(dtype, random);
    case Data::kRanges:
      return random() % 4 == 0 ? bits ^ 1 : bits;
    case Data::kSparse:  // now and then what is no number, on either side or both
      return random() % 900 == 0 ? RandomElement(dtype, random) : bits ^ (random() % 2);
    case Data::kHostile:
      return random() % 3 == 0 ? bits : RandomElement(dtype, random);
    default:
      return RandomElement(dtype, random);
  }
}

struct Pair {
  std::string name;
  DType dtype;
  Buffer a, b;
  std::uint64_t count, first;
  std::uint32_t remainder_a, remainder_b;
};

Pair MakePair(DType dtype, Data data, std::uint64_t count, std::uint64_t first,
              std::uint32_t remainder_a, std::uint32_t remainder_b) {
  std::mt19937_64 random(count * 131 + static_cast<unsigned>(data) * 17 + first);
  std::vector<std::uint64_t> a, b;
  for (std::uint64_t i = 0; i < first + count; ++i) {
    const bool finite = data == Data::kNear || data == Data::kNoise ||
                        (data == Data::kSparse && random() % 900 != 0);
    a.push_back(data == Data::kRanges ? RangedElement(dtype, i, random)
                : finite              ? FiniteElement(dtype, random)
                                      : RandomElement(dtype, random));
    b.push_back(Partner(dtype, data, a.back(), random));
  }
  return {std::string(NameOf(dtype)) + " x " + std::to_string(count) + " from " +
              std::to_string(first) + ", data " + std::to_string(static_cast<int>(data)) +
              ", at +" + std::to_string(remainder_a) + " and +" + std::to_string(remainder_b),
          dtype,
          Pack(dtype, a),
          Pack(dtype, b),
          count,
          first,
          remainder_a,
          remainder_b};
}

void ExpectSum(double expected, double got, const char* name) {
  if (std::isnan(expected) && std::isnan(got)) return;
  EXPECT_EQ(expected, got) << name;
}

// Every field, NaN equal to NaN.
void ExpectSame(ElementStats expected, ElementStats got, const std::string& name) {
  SCOPED_TRACE(name);
  ExpectSum(expected.sum_dd, got.sum_dd, "sum_dd");
  ExpectSum(expected.sum_aa, got.sum_aa, "sum_aa");
  ExpectSum(expected.sum_bb, got.sum_bb, "sum_bb");
  ExpectSum(expected.sum_ab, got.sum_ab, "sum_ab");
  for (double ElementStats::*sum : {&ElementStats::sum_dd, &ElementStats::sum_aa,
                                    &ElementStats::sum_bb, &ElementStats::sum_ab}) {
    expected.*sum = got.*sum = 0;
  }
  EXPECT_EQ(expected.compared, got.compared);
  EXPECT_EQ(expected.different, got.different);
  EXPECT_EQ(expected.signed_zero, got.signed_zero);
  EXPECT_EQ(expected.nan_payload, got.nan_payload);
  EXPECT_EQ(expected.max_abs, got.max_abs);
  EXPECT_EQ(expected.max_rel, got.max_rel);
  EXPECT_EQ(expected.max_ulp, got.max_ulp);
  EXPECT_EQ(expected.first_index, got.first_index);
  EXPECT_EQ(expected.worst_index, got.worst_index);
  EXPECT_EQ(expected.ulp_histogram, got.ulp_histogram);
  EXPECT_TRUE(expected == got);
}

// All in one call, against the host one by one.
void ExpectAsHost(const std::vector<Pair>& pairs) {
  std::vector<DeviceArray> arrays;
  std::vector<ElementsTask> tasks;
  for (const Pair& pair : pairs) {
    arrays.emplace_back(pair.a, pair.remainder_a);
    arrays.emplace_back(pair.b, pair.remainder_b);
    tasks.push_back({pair.dtype, arrays[arrays.size() - 2].data(), arrays.back().data(), pair.count,
                     pair.first});
  }
  CudaKernels kernels(nullptr);
  const auto got = kernels.CompareElements(tasks);
  const auto again = kernels.CompareElements(tasks);
  ASSERT_EQ(got.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size() && !testing::Test::HasFailure(); ++i) {
    const Pair& pair = pairs[i];
    ExpectSame(CompareElements(pair.dtype, pair.a.data(), pair.b.data(), pair.count, pair.first),
               got[i], pair.name);
    ExpectSame(got[i], again[i], pair.name + ", repeated");
  }
}

class ElementsCuda : public testing::TestWithParam<DType> {};

TEST_P(ElementsCuda, SizesAroundTilesAndVectors) {
  std::vector<Pair> pairs;
  for (const std::uint64_t count :
       {1,   2,   3,   7,    15,   16,   17,   31,   33,   63,   127,   129,
        511, 512, 513, 1023, 1025, 4095, 4096, 4097, 8192, 8193, 20481, 33000}) {
    for (const Data data : kAllData) pairs.push_back(MakePair(GetParam(), data, count, 0, 0, 0));
  }
  ExpectAsHost(pairs);
}

TEST_P(ElementsCuda, UnalignedPointersAndFirstElements) {
  std::vector<Pair> pairs;
  for (const auto& [a, b] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {1, 0}, {0, 1}, {3, 3}, {4, 8}, {2, 6}, {16, 5}, {15, 13}, {8, 8}}) {
    for (const std::uint64_t first : {0, 1, 2, 5}) {
      for (const std::uint64_t count : {1, 16, 100, 4096, 5001}) {
        pairs.push_back(MakePair(GetParam(), Data::kHostile, count, first, a, b));
        pairs.push_back(MakePair(GetParam(), Data::kFew, count, first, a, b));
      }
    }
  }
  ExpectAsHost(pairs);
}

TEST_P(ElementsCuda, ManyTilesAndPieces) {
  std::vector<Pair> pairs;
  for (const Data data : kAllData) {
    pairs.push_back(MakePair(GetParam(), data, 1000003, 0, 0, 0));
    pairs.push_back(MakePair(GetParam(), data, 300007, 1, 1, 2));
  }
  ExpectAsHost(pairs);
}

// Large enough that pairs of 8-bit numbers are counted.
TEST(ElementsCudaBatch, LargeArraysOf8BitNumbers) {
  std::vector<Pair> pairs;
  for (const DType dtype : {DType::kE4M3, DType::kE5M2, DType::kI8, DType::kU8}) {
    for (const Data data : kAllData) {
      pairs.push_back(MakePair(dtype, data, (4 << 20) + 13, 0, 0, 0));
    }
    pairs.push_back(MakePair(dtype, Data::kNear, (4 << 20) + 16, 3, 1, 6));
    Pair last = MakePair(dtype, Data::kEqual, (4 << 20) + 5, 0, 0, 0);
    last.b.back() ^= 1;
    pairs.push_back(last);
    Pair nan = MakePair(dtype, Data::kNoise, 5 << 20, 0, 0, 0);
    nan.a[(5 << 20) - 100] = 0x7f;
    nan.b[(5 << 20) - 100] = 0x10;
    pairs.push_back(nan);
    Pair finite = MakePair(dtype, Data::kNear, 5 << 20, 0, 0, 0);
    for (auto& element : finite.a) element &= 0x77;  // no NaN, no infinity
    for (auto& element : finite.b) element &= 0xf7;
    pairs.push_back(finite);
  }
  ExpectAsHost(pairs);
}

// The last of a large array decides: index, maximum and every sum.
TEST_P(ElementsCuda, OneDifferenceAnywhere) {
  std::vector<Pair> pairs;
  for (const std::uint64_t at : {0, 1, 4095, 4096, 131071, 262143}) {
    Pair pair = MakePair(GetParam(), Data::kEqual, 262144, 0, 0, 0);
    pair.b[BytesOf(GetParam(), at)] ^= 1;
    pair.name += ", one at " + std::to_string(at);
    pairs.push_back(pair);
  }
  ExpectAsHost(pairs);
}

INSTANTIATE_TEST_SUITE_P(DTypes, ElementsCuda, testing::ValuesIn(AllDTypes()),
                         [](const auto& test) { return TestNameOf(test.param); });

TEST(ElementsCudaBatch, ManySmallOnesOfAllDTypes) {
  std::vector<Pair> pairs;
  std::mt19937_64 random(5);
  for (int i = 0; i < 1500; ++i) {
    const DType dtype = AllDTypes()[random() % AllDTypes().size()];
    const std::uint64_t count = random() % 3 == 0 ? 0 : 1 + random() % 6000;
    pairs.push_back(MakePair(dtype, kAllData[random() % std::size(kAllData)], count, random() % 3,
                             random() % 2 * (random() % 16), random() % 2 * (random() % 16)));
  }
  ExpectAsHost(pairs);
}

// Enough pieces for several groups: the fold over groups, and warps that share a task.
TEST(ElementsCudaBatch, LargeF32NextToSmallOnes) {
  std::vector<Pair> pairs;
  pairs.push_back(MakePair(DType::kF32, Data::kFew, 9000001, 0, 0, 0));
  for (int i = 1; i < 20; ++i) {
    pairs.push_back(MakePair(DType::kF32, Data::kHostile, static_cast<std::uint64_t>(i), 0, 0, 0));
  }
  pairs.push_back(MakePair(DType::kF32, Data::kNear, 5000000, 0, 4, 4));
  ExpectAsHost(pairs);
}

TEST(ElementsCudaBatch, NothingAndNoDType) {
  CudaKernels kernels(nullptr);
  EXPECT_TRUE(kernels.CompareElements({}).empty());
  const std::vector<ElementsTask> nothing = {{DType::kF32, nullptr, nullptr, 0, 0}};
  EXPECT_TRUE(kernels.CompareElements(nothing)[0] == ElementStats{});
  const std::vector<ElementsTask> none = {{static_cast<DType>(99), nullptr, nullptr, 1, 0}};
  EXPECT_THROW(kernels.CompareElements(none), std::invalid_argument);
}

}  // namespace
}  // namespace parity
