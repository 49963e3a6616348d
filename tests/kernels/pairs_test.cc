#include "kernels/pairs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace parity {
namespace {

struct KindRow {
  const char* name;
  std::uint32_t a, b;
  PairKind kind;
};

constexpr KindRow kKinds[] = {
    {"equal", 0x3f800000, 0x3f800000, PairKind::kEqual},
    {"equal NaN", 0x7fc00000, 0x7fc00000, PairKind::kEqual},
    {"payload", 0x7fc00000, 0x7fc00001, PairKind::kNanPayload},
    {"sign of NaN", 0x7fc00000, 0xffc00000, PairKind::kNanPayload},
    {"NaN in a", 0x7f800001, 0x3f800000, PairKind::kNanOnlyReference},
    {"NaN against infinity", 0xffc00000, 0x7f800000, PairKind::kNanOnlyReference},
    {"NaN in b", 0, 0xffffffff, PairKind::kNanOnlyCandidate},
    {"zeros", 0, 0x80000000, PairKind::kSignedZero},
    {"infinity in a", 0x7f800000, 0x7f7fffff, PairKind::kInfinityOnlyReference},
    {"infinity in b", 0, 0xff800000, PairKind::kInfinityOnlyCandidate},
    {"infinities", 0xff800000, 0x7f800000, PairKind::kInfinityOpposite},
    {"numbers", 0x3f800000, 0x3f800001, PairKind::kNumeric},
    {"subnormal and zero", 0, 0x80000001, PairKind::kNumeric},
};

TEST(PairsTest, HaveAKind) {
  for (const KindRow& row : kKinds) EXPECT_EQ(KindOf<F32>(row.a, row.b), row.kind) << row.name;
  EXPECT_EQ(KindOf<E4M3>(0x7f, 0xff), PairKind::kNanPayload);
  EXPECT_EQ(KindOf<IntegerFormat<std::int32_t>>(0, 0x80000000), PairKind::kNumeric);
}

TEST(PairsTest, DistanceOfIntegersDoesNotOverflow) {
  using I64 = IntegerFormat<std::int64_t>;
  using U64 = IntegerFormat<std::uint64_t>;
  constexpr std::uint64_t kLowest = 0x8000000000000000, kHighest = 0x7fffffffffffffff;
  EXPECT_EQ(UlpDistance<I64>(kLowest, kHighest), ~std::uint64_t{0});
  EXPECT_EQ(UlpDistance<I64>(kHighest, kLowest), ~std::uint64_t{0});
  EXPECT_EQ(UlpDistance<I64>(~std::uint64_t{0}, 1), 2u);
  EXPECT_EQ(UlpDistance<U64>(~std::uint64_t{0}, 1), ~std::uint64_t{0} - 1);
}

TEST(PairsTest, DistanceOfFloatsCountsSteps) {
  EXPECT_EQ(UlpDistance<F32>(0x80000001, 0x00000001), 2u);
  EXPECT_EQ(UlpDistance<F32>(0x7f7fffff, 0x7f800000), 1u);
  EXPECT_EQ(UlpDistance<F64>(0x7ff0000000000000, 0xfff0000000000000), 0xffe0000000000000u);
  EXPECT_EQ(UlpDistance<E4M3>(0x00, 0x80), 0u);
  EXPECT_EQ(UlpDistance<E4M3>(0x7e, 0xfe), 0xfcu);
}

TEST(PairsTest, DifferencesAreRoundedAsDeclared) {
  // 1 - 2^-30 is not an f32; the difference of the two f64 is exact.
  EXPECT_EQ(AbsoluteDifference<F32>(0x3f800000, BitCast<std::uint32_t>(0x1p-30f)), 1.0);
  EXPECT_EQ(AbsoluteDifference<F64>(BitCast<std::uint64_t>(1.0), BitCast<std::uint64_t>(0x1p-30)),
            1 - 0x1p-30);
  EXPECT_EQ(AbsoluteDifference<F32>(0x7f7fffff, 0xff7fffff), HUGE_VAL);
  using I32 = IntegerFormat<std::int32_t>;
  EXPECT_EQ(AbsoluteDifference<I32>(0x80000000, 0x7fffffff), 4294967295.0);
  EXPECT_EQ(Narrow<I32>(4294967295.0), 4294967296.0);
  EXPECT_EQ(Narrow<F64>(4294967295.0), 4294967295.0);
}

TEST(PairsTest, RoundsUpToFloat) {
  EXPECT_EQ(RoundUpToFloat(0), 0.0f);
  EXPECT_EQ(RoundUpToFloat(1), 1.0f);
  EXPECT_EQ(RoundUpToFloat(1 + 0x1p-50), 1.0f + 0x1p-23f);
  EXPECT_EQ(RoundUpToFloat(1 - 0x1p-50), 1.0f);
  EXPECT_EQ(RoundUpToFloat(1e-300), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(RoundUpToFloat(0x1.fffffep127), 0x1.fffffep127f);
  EXPECT_EQ(RoundUpToFloat(0x1.fffffep127 * (1 + 0x1p-50)), HUGE_VALF);
  EXPECT_EQ(RoundUpToFloat(HUGE_VAL), HUGE_VALF);
}

TEST(PairsTest, RelativeDifferenceIsTheQuotientRoundedUp) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 100000; ++i) {
    // Exponents from 2^-20, the floor, to 2^127.
    const auto a = static_cast<std::uint32_t>(0x35800000 + random() % 0x49ffffff);
    const float difference = BitCast<float>(static_cast<std::uint32_t>(random() % 0x7f800000));
    const float relative = RelativeDifference<F32>(a, difference);
    const long double exact = static_cast<long double>(difference) / BitCast<float>(a);
    ASSERT_GE(relative, exact);
    if (relative == 0) continue;
    ASSERT_LT(BitCast<float>(BitCast<std::uint32_t>(relative) - 1), exact);
  }
}

TEST(PairsTest, RelativeDifferenceHasAFloor) {
  EXPECT_EQ(RelativeDifference<F32>(0, 0x1p-20), 1.0f);
  EXPECT_EQ(RelativeDifference<F32>(0x80000000, 0x1p-30), 0x1p-10f);
  EXPECT_EQ(RelativeDifference<F32>(BitCast<std::uint32_t>(-2.0f), 1), 0.5f);
  EXPECT_EQ(RelativeDifference<IntegerFormat<std::int8_t>>(0xfe, 1), 0.5f);
}

}  // namespace
}  // namespace parity
