#include "kernels/poison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "kernels/formats.h"
#include "tests/kernels/reference.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr PoisonKind kFirst = PoisonKind::kQuietNaN;
constexpr PoisonKind kSecond = PoisonKind::kLargeFinite;

void WriteElement(DType dtype, unsigned char* data, std::uint64_t index, ElementBits bits) {
  if (BitsOf(dtype) == 4) {
    StoreBits<E2M1>(data, index, static_cast<std::uint8_t>(bits));
  } else {
    std::memcpy(data + BytesOf(dtype, index), &bits, BytesOf(dtype, 1));
  }
}

class PoisonTest : public testing::TestWithParam<DType> {
 protected:
  DType dtype() const { return GetParam(); }
  ElementBits first() const { return Poison(dtype(), kFirst); }
  ElementBits second() const { return Poison(dtype(), kSecond); }
};

TEST_P(PoisonTest, PatternsDifferAndFitTheElement) {
  EXPECT_NE(first(), second());
  EXPECT_EQ(first() & ~MaskOf(dtype()), 0u);
  EXPECT_EQ(second() & ~MaskOf(dtype()), 0u);
}

TEST_P(PoisonTest, FillsElementsAndNothingElse) {
  for (const std::uint64_t count : {0, 1, 3, 100}) {
    Buffer data(BytesOf(dtype(), count) + 2, 0x33);
    FillPoison(dtype(), first(), data.data() + 1, count);
    EXPECT_EQ(data.front(), 0x33);
    EXPECT_EQ(data.back(), 0x33);
    if (BitsOf(dtype()) == 4 && count % 2 != 0) {
      EXPECT_EQ(data.end()[-2] >> 4, 0x3) << "nobody's half";
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      EXPECT_EQ(BitsAt(dtype(), data.data() + 1, i), first());
    }
  }
}

TEST_P(PoisonTest, FindsWhatKeptBothPoisons) {
  const std::uint64_t count = 10;
  Buffer one(BytesOf(dtype(), count) + 1), two(BytesOf(dtype(), count) + 1);
  unsigned char *a = one.data() + 1, *b = two.data() + 1;
  FillPoison(dtype(), first(), a, count);
  FillPoison(dtype(), second(), b, count);
  EXPECT_THAT(UnwrittenElements(dtype(), a, first(), b, second(), count),
              ElementsAre(ElementRun{0, 10}));
  const auto write = [&](std::uint64_t index, ElementBits bits_a, ElementBits bits_b) {
    WriteElement(dtype(), a, index, bits_a);
    WriteElement(dtype(), b, index, bits_b);
  };
  write(0, 1, 1);
  write(4, first(), first());    // written with the very first poison
  write(5, second(), second());  // and with the second
  write(8, second(), first());
  EXPECT_THAT(UnwrittenElements(dtype(), a, first(), b, second(), count),
              ElementsAre(ElementRun{1, 3}, ElementRun{6, 2}, ElementRun{9, 1}));
  EXPECT_THAT(UnwrittenElements(dtype(), a, first(), b, second(), 6, 3),
              ElementsAre(ElementRun{0, 1}, ElementRun{3, 2}));
  EXPECT_THAT(UnwrittenElements(dtype(), a, first(), b, second(), 0), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(AllDTypes, PoisonTest, testing::ValuesIn(AllDTypes()),
                         [](const auto& info) { return TestNameOf(info.param); });

TEST(PoisonPatternsTest, OfFloatsAreAQuietNanAndALargeNumber) {
  for (const DType dtype : UsualFloatDTypes()) {
    SCOPED_TRACE(NameOf(dtype));
    const ElementBits nan = Poison(dtype, kFirst);
    EXPECT_TRUE(std::isnan(ValueOf(dtype, nan)));
    EXPECT_NE(nan & (ElementBits{1} << (FieldsOf(dtype).mantissa_bits - 1)), 0u) << "quiet";
    const long double large = ValueOf(dtype, Poison(dtype, kSecond));
    const long double largest = ValueOf(dtype, FieldsOf(dtype).largest);
    EXPECT_TRUE(std::isfinite(large));
    EXPECT_GT(large, std::sqrt(largest));
    EXPECT_GT(large, 400);
  }
}

TEST(PoisonPatternsTest, OfScalesAndPackedFloatsAreAsFarAsTheyCan) {
  EXPECT_TRUE(std::isnan(ValueOf(DType::kE8M0, Poison(DType::kE8M0, kFirst))));
  EXPECT_EQ(ValueOf(DType::kE8M0, Poison(DType::kE8M0, kSecond)), 0x1p118L);
  EXPECT_EQ(ValueOf(DType::kE2M1, Poison(DType::kE2M1, kFirst)), -1);
  EXPECT_EQ(ValueOf(DType::kE2M1, Poison(DType::kE2M1, kSecond)), 6);
}

TEST(PoisonPatternsTest, OfFloatsIgnoreTheDomain) {
  EXPECT_EQ(Poison(DType::kF32, kFirst, ValueRange{0, 1}), Poison(DType::kF32, kFirst));
}

struct DomainRow {
  DType dtype;
  double min, max;
  ElementBits first, second;
};

TEST(PoisonPatternsTest, OfIntegersScalesAndPackedFloatsStayInsideTheDomain) {
  const DomainRow rows[] = {
      {DType::kI32, 0, 255, 0, 255},
      {DType::kI32, -2, 7, 0xfffffffe, 7},
      {DType::kI64, -1, 0x1p70, 0xffffffffffffffff, 0x7fffffffffffffff},
      {DType::kU64, -5, HUGE_VAL, 0, 0xffffffffffffffff},
      {DType::kU8, 0.5, 3.5, 1, 3},
      {DType::kI8, -500, 500, 0x80, 0x7f},
      {DType::kI16, 4, 4, 4, 4},
      {DType::kBool, 0, 1, 0, 1},
      {DType::kE8M0, 0x1p-8, 0x1p4, 119, 131},
      {DType::kE8M0, 0, 5, 0, 129},
      {DType::kE8M0, -HUGE_VAL, HUGE_VAL, 0, 254},
      {DType::kE8M0, 0.75, 1.5, 127, 127},
      {DType::kE2M1, -HUGE_VAL, HUGE_VAL, 0xf, 0x7},
      {DType::kE2M1, 0, 5, 0x0, 0x6},
      {DType::kE2M1, -2.5, -0.5, 0xc, 0x9},
  };
  for (const DomainRow& row : rows) {
    const ValueRange domain{row.min, row.max};
    EXPECT_EQ(Poison(row.dtype, kFirst, domain), row.first) << NameOf(row.dtype);
    EXPECT_EQ(Poison(row.dtype, kSecond, domain), row.second) << NameOf(row.dtype);
  }
}

TEST(PoisonPatternsTest, NoPoisonForADomainWithoutValues) {
  try {
    Poison(DType::kU8, kFirst, ValueRange{300, 400});
    FAIL() << "nothing was thrown";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("no u8 lies in the domain from 300"));
  }
  EXPECT_THROW(Poison(DType::kI32, kFirst, ValueRange{0.25, 0.75}), std::invalid_argument);
  EXPECT_THROW(Poison(DType::kI32, kFirst, ValueRange{2, 1}), std::invalid_argument);
  EXPECT_THROW(Poison(DType::kE8M0, kFirst, ValueRange{-4, 0}), std::invalid_argument);
  EXPECT_THROW(Poison(DType::kE8M0, kFirst, ValueRange{2, 1}), std::invalid_argument);
  EXPECT_THROW(Poison(DType::kE2M1, kSecond, ValueRange{6.5, 9}), std::invalid_argument);
}

}  // namespace
}  // namespace parity
