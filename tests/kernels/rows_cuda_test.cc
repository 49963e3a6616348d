#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "kernels/cuda/cuda_kernels.h"
#include "kernels/rows.h"
#include "tests/kernels/device_array.h"
#include "tests/kernels/reference.h"

namespace parity {
namespace {

enum class Logits { kEqual, kClose, kUnrelated, kShifted, kPeaked, kMasked, kHostile, kTies };
constexpr Logits kAllLogits[] = {Logits::kEqual,   Logits::kClose,  Logits::kUnrelated,
                                 Logits::kShifted, Logits::kPeaked, Logits::kMasked,
                                 Logits::kHostile, Logits::kTies};

struct RowPair {
  std::string name;
  Logits kind;
  DType dtype;
  std::uint32_t columns;
  std::uint64_t rows;
  Buffer a, b;
  std::uint32_t remainder_a, remainder_b;
};

class RowMaker {
 public:
  RowMaker(DType dtype, Logits kind, unsigned seed) : dtype_(dtype), kind_(kind), random_(seed) {}

  void Next(std::uint32_t column) {
    const double normal = normal_(random_);
    a_ = normal * 2;
    b_ = a_;
    switch (kind_) {
      case Logits::kEqual:
        break;
      case Logits::kClose:
        b_ += 0.02 * normal_(random_);
        break;
      case Logits::kUnrelated:
        b_ = 2 * normal_(random_);
        break;
      case Logits::kShifted:
        b_ = a_ + 90 + 0.5 * normal_(random_);
        break;
      case Logits::kPeaked:
        if (column == 1) a_ = 60;
        if (column == 700) b_ = 120;
        break;
      case Logits::kMasked:
        if (column % 3 != 0) a_ = -HUGE_VAL;
        b_ = column % 3 != 0 ? -HUGE_VAL : a_ + 0.1 * normal_(random_);
        break;
      case Logits::kTies:
        a_ = std::floor(a_);
        b_ = std::floor(b_ + 0.3 * normal_(random_));
        break;
      case Logits::kHostile:
        break;
    }
  }
  std::uint64_t A() {
    return kind_ == Logits::kHostile ? last_ = RandomElement(dtype_, random_) : Encode(a_);
  }
  std::uint64_t B() {
    if (kind_ != Logits::kHostile) return kind_ == Logits::kEqual ? Encode(a_) : Encode(b_);
    return random_() % 2 == 0 ? last_ : RandomElement(dtype_, random_);
  }

 private:
  std::uint64_t Encode(double value) const {
    if (dtype_ == DType::kE8M0) {
      const double clamped = std::clamp(std::isfinite(value) ? value : -20.0, -20.0, 20.0);
      return static_cast<std::uint64_t>(std::lround(clamped)) + 110;
    }
    const FloatFields fields = FieldsOf(dtype_);
    if (std::isinf(value) && !fields.infinity) value = -1e3;
    if (dtype_ == DType::kF32 && std::isfinite(value)) value = static_cast<float>(value);
    return NearestFloat(dtype_, value);
  }

  DType dtype_;
  Logits kind_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  double a_ = 0, b_ = 0;
  std::uint64_t last_ = 0;
};

RowPair MakeRows(DType dtype, Logits kind, std::uint32_t columns, std::uint64_t rows,
                 std::uint32_t remainder_a = 0, std::uint32_t remainder_b = 0) {
  RowMaker maker(dtype, kind, columns * 7 + static_cast<unsigned>(kind));
  std::vector<std::uint64_t> a, b;
  for (std::uint64_t i = 0; i < rows * columns; ++i) {
    maker.Next(static_cast<std::uint32_t>(i % columns));
    a.push_back(maker.A());
    b.push_back(maker.B());
  }
  return {std::string(NameOf(dtype)) + ", " + std::to_string(rows) + " x " +
              std::to_string(columns) + ", logits " + std::to_string(static_cast<int>(kind)),
          kind,
          dtype,
          columns,
          rows,
          Pack(dtype, a),
          Pack(dtype, b),
          remainder_a,
          remainder_b};
}

// Relative 2e-6, and where logits move far beside what the rows diverge by, 2e-7 nats: weights are
// f32 there.
void ExpectNear(double expected, double got, double tiny, const char* name) {
  if (expected == got || (std::isnan(expected) && std::isnan(got))) return;
  EXPECT_NEAR(expected, got, 2e-6 * std::fabs(expected) + tiny) << name;
}

void ExpectSame(const RowStats& expected, const RowStats& got, double tiny,
                const std::string& name) {
  SCOPED_TRACE(name);
  EXPECT_EQ(expected.argmax_reference, got.argmax_reference);
  EXPECT_EQ(expected.argmax_candidate, got.argmax_candidate);
  EXPECT_EQ(expected.margin, got.margin);
  EXPECT_EQ(expected.rank, got.rank);
  EXPECT_EQ(expected.top_overlap, got.top_overlap);
  EXPECT_EQ(expected.mask_mismatch, got.mask_mismatch);
  EXPECT_EQ(expected.nan_reference, got.nan_reference);
  EXPECT_EQ(expected.nan_candidate, got.nan_candidate);
  EXPECT_EQ(expected.identical, got.identical);
  ExpectNear(expected.kl, got.kl, tiny, "kl");
  ExpectNear(expected.kl_reverse, got.kl_reverse, tiny, "kl_reverse");
}

void ExpectAsHost(const std::vector<RowPair>& pairs) {
  std::vector<DeviceArray> arrays;
  std::vector<RowsTask> tasks;
  for (const RowPair& pair : pairs) {
    arrays.emplace_back(pair.a, pair.remainder_a);
    arrays.emplace_back(pair.b, pair.remainder_b);
    tasks.push_back({pair.dtype, pair.columns, pair.rows, arrays[arrays.size() - 2].data(),
                     arrays.back().data()});
  }
  CudaKernels kernels(nullptr);
  const auto got = kernels.CompareRows(tasks);
  const auto again = kernels.CompareRows(tasks);
  ASSERT_EQ(got.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const RowPair& pair = pairs[i];
    const auto expected =
        CompareRows(pair.dtype, pair.columns, pair.rows, pair.a.data(), pair.b.data());
    ASSERT_EQ(expected.size(), got[i].size());
    for (std::size_t row = 0; row < expected.size() && !testing::Test::HasFailure(); ++row) {
      ExpectSame(expected[row], got[i][row], pair.kind == Logits::kClose ? 1e-11 : 2e-7,
                 pair.name + ", row " + std::to_string(row));
      EXPECT_EQ(got[i][row].kl, again[i][row].kl) << pair.name << ", repeated";
      EXPECT_EQ(got[i][row].kl_reverse, again[i][row].kl_reverse) << pair.name << ", repeated";
    }
  }
}

class RowsCuda : public testing::TestWithParam<DType> {};

TEST_P(RowsCuda, ColumnsFromOneOn) {
  std::vector<RowPair> pairs;
  for (const std::uint32_t columns :
       {1, 2, 3, 19, 20, 21, 31, 33, 64, 127, 255, 511, 512, 513, 1000}) {
    if (GetParam() == DType::kE2M1 && columns % 2 != 0) continue;
    for (const Logits kind : kAllLogits) pairs.push_back(MakeRows(GetParam(), kind, columns, 5));
  }
  ExpectAsHost(pairs);
}

// More rows than a warp takes at a time, from any address. Of any bits only where a row's logits do
// not lie so far apart that f64 loses, on the host too, what they weigh.
TEST_P(RowsCuda, ManyShortRows) {
  const bool narrow = FieldsOf(GetParam()).bias <= 15;
  std::vector<RowPair> pairs;
  for (const std::uint32_t columns : {1, 5, 19, 20, 21, 32, 33, 40, 63, 64}) {
    for (const Logits kind : kAllLogits) {
      const std::uint64_t rows = kind == Logits::kHostile && !narrow ? 5 : 67;
      pairs.push_back(MakeRows(GetParam(), kind, columns, rows, columns % 5, columns % 3));
    }
  }
  pairs.push_back(MakeRows(GetParam(), Logits::kClose, 65, 67));
  pairs.push_back(MakeRows(GetParam(), narrow ? Logits::kHostile : Logits::kMasked, 7, 9000));
  ExpectAsHost(pairs);
}

TEST_P(RowsCuda, LongRowsInSegments) {
  std::vector<RowPair> pairs;
  for (const Logits kind : kAllLogits) {
    pairs.push_back(MakeRows(GetParam(), kind, 32000, 3));
    pairs.push_back(MakeRows(GetParam(), kind, 50258, 2, 1, 3));
  }
  ExpectAsHost(pairs);
}

INSTANTIATE_TEST_SUITE_P(DTypes, RowsCuda, testing::ValuesIn(FloatDTypes()),
                         [](const auto& test) { return TestNameOf(test.param); });

TEST(RowsCudaBatch, LongestRowAndManyShortOnes) {
  ExpectAsHost({MakeRows(DType::kF32, Logits::kClose, 262144, 1),
                MakeRows(DType::kBF16, Logits::kUnrelated, 262144, 1),
                MakeRows(DType::kF32, Logits::kUnrelated, 4, 65536),
                MakeRows(DType::kF16, Logits::kClose, 1, 3000),
                MakeRows(DType::kF32, Logits::kHostile, 129, 40, 4, 8)});
}

// Segments of one chunk or little more, put together by several warps.
TEST(RowsCudaBatch, OneLongRowOfAnyKind) {
  for (const Logits kind : {Logits::kPeaked, Logits::kMasked, Logits::kHostile, Logits::kTies}) {
    ExpectAsHost({MakeRows(DType::kF32, kind, 262144, 1)});
    ExpectAsHost({MakeRows(DType::kBF16, kind, 131073, 1, 2, 2)});
  }
}

// All of a row equal, or NaN, or masked: the lists of first places hold what ties and what is none.
TEST(RowsCudaBatch, RowsWithoutAnOrder) {
  std::vector<RowPair> pairs;
  for (const std::uint64_t bits : {0x00000000u, 0x7fc00000u, 0xff800000u, 0x7f800000u}) {
    for (const std::uint32_t columns : {1u, 10u, 64u, 700u, 9000u}) {
      RowPair pair = MakeRows(DType::kF32, Logits::kUnrelated, columns, 2);
      pair.a = Pack(DType::kF32, std::vector<std::uint64_t>(2 * columns, bits));
      pair.name += ", reference all " + std::to_string(bits);
      pairs.push_back(pair);
      std::swap(pair.a, pair.b);
      pair.name += ", swapped";
      pairs.push_back(pair);
      pair.a = pair.b;
      pairs.push_back(pair);
    }
  }
  ExpectAsHost(pairs);
}

TEST(RowsCudaBatch, RefusesWhatTheHostRefuses) {
  CudaKernels kernels(nullptr);
  const std::vector<RowsTask> no_column = {{DType::kF32, 0, 1, nullptr, nullptr}};
  EXPECT_THROW(kernels.CompareRows(no_column), std::invalid_argument);
  const std::vector<RowsTask> integers = {{DType::kI32, 4, 1, nullptr, nullptr}};
  EXPECT_THROW(kernels.CompareRows(integers), std::invalid_argument);
  const std::vector<RowsTask> no_row = {{DType::kF32, 4, 0, nullptr, nullptr}};
  EXPECT_TRUE(kernels.CompareRows(no_row)[0].empty());
}

}  // namespace
}  // namespace parity
