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
      if (BitsOf(dtype) <= 8 && i > MaskOf(dtype)) break;
      ExpectDecodes<Format>(dtype, BitsOf(dtype) <= 16 ? i : RandomElement(dtype, random));
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
        const Bits sign = static_cast<Bits>(SignBitOf(dtype));
        if (sign == 0) continue;
        const Bits minus_low = static_cast<Bits>(low | sign);
        const Bits minus_high = static_cast<Bits>(high | sign);
        ASSERT_EQ(Format::Key(minus_low) - Format::Key(minus_high), 1);
      }
    }
    EXPECT_EQ(Format::Key(0), 0);
    EXPECT_EQ(Format::Key(static_cast<Bits>(SignBitOf(dtype))), 0);
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

// Table 2 of the OFP8 specification; e5m2 is the upper half of an f16.
TEST(FormatsTest, KnowsEveryValueOfE5M2) {
  EXPECT_EQ(E5M2::Decode(0x7b), 57344.0f);
  EXPECT_EQ(E5M2::Decode(0x04), 0x1p-14f);
  EXPECT_EQ(E5M2::Decode(0x03), 0.75f * 0x1p-14f);
  EXPECT_EQ(E5M2::Decode(0x01), 0x1p-16f);
  EXPECT_EQ(E5M2::Decode(0xfc), -HUGE_VALF);
  for (std::uint32_t i = 0; i < 256; ++i) {
    const auto bits = static_cast<std::uint8_t>(i);
    const auto half = static_cast<std::uint16_t>(i << 8);
    EXPECT_EQ(E5M2::IsNan(bits), F16::IsNan(half)) << i;
    EXPECT_EQ(E5M2::IsNan(bits), (i & 0x7f) > 0x7c) << i;
    if (E5M2::IsNan(bits)) continue;
    EXPECT_EQ(E5M2::Decode(bits), F16::Decode(half)) << i;
  }
}

// The MX specification's table of FP4 E2M1.
TEST(FormatsTest, KnowsEveryValueOfE2M1) {
  const float magnitudes[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  for (std::uint8_t bits = 0; bits < 16; ++bits) {
    const float magnitude = magnitudes[bits % 8];
    EXPECT_EQ(E2M1::Decode(bits), bits < 8 ? magnitude : -magnitude);
    EXPECT_EQ(std::signbit(E2M1::Decode(bits)), bits >= 8);
    EXPECT_TRUE(E2M1::IsFinite(bits));
    EXPECT_FALSE(E2M1::IsNan(bits) || E2M1::IsInfinite(bits));
  }
}

// The MX specification's table of E8M0.
TEST(FormatsTest, KnowsEveryValueOfE8M0) {
  for (int bits = 0; bits < 255; ++bits) {
    const auto element = static_cast<std::uint8_t>(bits);
    EXPECT_EQ(E8M0::Decode(element), std::ldexp(1.0f, bits - 127));
    EXPECT_TRUE(E8M0::IsFinite(element));
  }
  EXPECT_TRUE(E8M0::IsNan(0xff));
  EXPECT_FALSE(E8M0::IsFinite(0xff));
  EXPECT_TRUE(std::isnan(E8M0::Decode(0xff)));
}

TEST(FormatsTest, TheFirstOfTwoElementsHasTheLowHalfOfTheirByte) {
  unsigned char bytes[] = {0x21, 0x43};
  for (std::uint8_t i = 0; i < 4; ++i) EXPECT_EQ(LoadBits<E2M1>(bytes, i), i + 1);
  StoreBits<E2M1>(bytes, 1, 0xf);
  EXPECT_EQ(bytes[0], 0xf1);
  StoreBits<E2M1>(bytes, 2, 0xe);
  EXPECT_EQ(bytes[1], 0x4e);
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
