#include "kernels/formats.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/dispatch.h"
#include "tests/kernels/reference.h"

namespace parity {
namespace {

// Decodes `bits` and checks everything that a format says about it.
template <typename Format>
void ExpectDecodes(DType dtype, std::uint64_t bits) {
  const auto element = static_cast<typename Format::Bits>(bits);
  const long double expected = ValueOf(dtype, bits);
  const long double value = Format::Decode(element);
  EXPECT_EQ(Format::IsNan(element), std::isnan(expected)) << bits;
  EXPECT_EQ(Format::IsInfinite(element), std::isinf(expected)) << bits;
  EXPECT_EQ(Format::IsFinite(element), std::isfinite(expected)) << bits;
  EXPECT_EQ(std::isnan(value), std::isnan(expected)) << bits;
  EXPECT_EQ(std::signbit(value), std::signbit(expected)) << bits;
  if (!std::isnan(expected)) {
    EXPECT_EQ(value, expected) << bits;
  }
}

class FormatsOfDTypeTest : public testing::TestWithParam<DType> {};

TEST_P(FormatsOfDTypeTest, DecodesEveryElementOfUpTo16BitsAndRandomOnesBeyond) {
  const DType dtype = GetParam();
  VisitNumericFormat(dtype, "test", [&]<typename Format>(Format) {
    std::mt19937_64 random(1);
    for (std::uint64_t i = 0; i < 65536; ++i) {
      if (BytesOf(dtype) == 1 && i == 256) break;
      ExpectDecodes<Format>(dtype, BytesOf(dtype) <= 2 ? i : RandomElement(dtype, random));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(AllNumeric, FormatsOfDTypeTest,
                         testing::ValuesIn(AllDTypes().begin(), AllDTypes().end() - 1),
                         [](const auto& info) { return TestNameOf(info.param); });

class FloatFormatsTest : public testing::TestWithParam<DType> {};

TEST_P(FloatFormatsTest, KeysOfNeighboursAreOneApart) {
  const DType dtype = GetParam();
  VisitFloatFormat(dtype, "test", [&]<typename Format>(Format) {
    using Bits = typename Format::Bits;
    const std::uint64_t largest = FieldsOf(dtype).largest;
    const std::uint64_t starts[] = {0, largest > 70000 ? largest - 70000 : 0};
    for (const std::uint64_t start : starts) {
      for (std::uint64_t i = start; i < largest && i < start + 70000; ++i) {
        const Bits low = static_cast<Bits>(i), high = static_cast<Bits>(i + 1);
        ASSERT_LT(Format::Decode(low), Format::Decode(high));
        ASSERT_EQ(Format::Key(high) - Format::Key(low), 1);
        const Bits minus_low = static_cast<Bits>(low | Format::kSign);
        const Bits minus_high = static_cast<Bits>(high | Format::kSign);
        ASSERT_EQ(Format::Key(minus_low) - Format::Key(minus_high), 1);
      }
    }
    EXPECT_EQ(Format::Key(0), 0);
    EXPECT_EQ(Format::Key(Format::kSign), 0);
  });
}

INSTANTIATE_TEST_SUITE_P(AllFloats, FloatFormatsTest, testing::ValuesIn(FloatDTypes()),
                         [](const auto& info) { return TestNameOf(info.param); });

TEST(FormatsTest, KnowsTheSpecialValuesOfE4M3) {
  EXPECT_EQ(E4M3::Decode(0x7e), 448.0f);
  EXPECT_EQ(E4M3::Decode(0xfe), -448.0f);
  EXPECT_EQ(E4M3::Decode(0x38), 1.0f);
  EXPECT_EQ(E4M3::Decode(0x08), 0x1p-6f);
  EXPECT_EQ(E4M3::Decode(0x01), 0x1p-9f);
  int nan = 0, infinite = 0;
  for (int i = 0; i < 256; ++i) {
    nan += E4M3::IsNan(static_cast<std::uint8_t>(i)) ? 1 : 0;
    infinite += E4M3::IsInfinite(static_cast<std::uint8_t>(i)) ? 1 : 0;
  }
  EXPECT_EQ(nan, 2);
  EXPECT_EQ(infinite, 0);
}

TEST(FormatsTest, KnowsTheSpecialValuesOf16Bits) {
  EXPECT_EQ(F16::Decode(0x7bff), 65504.0f);
  EXPECT_EQ(F16::Decode(0x0001), 0x1p-24f);
  EXPECT_EQ(F16::Decode(0xfc00), -HUGE_VALF);
  EXPECT_EQ(BF16::Decode(0x3f80), 1.0f);
  EXPECT_EQ(BF16::Decode(0x0001), 0x1p-133f);
  EXPECT_EQ(BF16::Decode(0x7f80), HUGE_VALF);
}

}  // namespace
}  // namespace parity
