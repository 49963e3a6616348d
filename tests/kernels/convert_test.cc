#include "kernels/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

namespace parity {
namespace {

constexpr DType kFloats[] = {DType::kF64, DType::kF32, DType::kF16, DType::kBF16};

// The element that `bits` becomes; nothing where it is not exact.
std::optional<ElementBits> Converted(DType from, ElementBits bits, DType to) {
  ElementBits out = 0;
  if (Convert(from, &bits, to, &out, 1).count != 0) return std::nullopt;
  return out;
}

ElementBits BitsOf(float value) {
  ElementBits bits = 0;
  std::memcpy(&bits, &value, sizeof(value));
  return bits;
}

TEST(Convert, WhoHoldsWhom) {
  EXPECT_TRUE(CanConvert(DType::kBF16, DType::kF32));
  EXPECT_TRUE(CanConvert(DType::kF32, DType::kBF16));
  EXPECT_TRUE(CanConvert(DType::kF16, DType::kF64));
  EXPECT_TRUE(CanConvert(DType::kE4M3, DType::kE4M3));
  EXPECT_TRUE(CanConvert(DType::kBytes, DType::kBytes));
  EXPECT_TRUE(CanConvert(DType::kI32, DType::kI64));
  EXPECT_TRUE(CanConvert(DType::kI32, DType::kU8));
  EXPECT_FALSE(CanConvert(DType::kF16, DType::kBF16));
  EXPECT_FALSE(CanConvert(DType::kI32, DType::kU32));
  EXPECT_FALSE(CanConvert(DType::kU64, DType::kI64));
  EXPECT_FALSE(CanConvert(DType::kF32, DType::kI32));
  EXPECT_FALSE(CanConvert(DType::kE4M3, DType::kF32));
  EXPECT_FALSE(CanConvert(DType::kBool, DType::kU8));
  EXPECT_THROW(Converted(DType::kF16, 0, DType::kBF16), std::invalid_argument);
}

// Every 16-bit number, NaN with its payload too, comes back from every wider dtype bit for bit.
TEST(Convert, WideningIsExactBothWays) {
  for (const DType narrow : {DType::kF16, DType::kBF16}) {
    for (const DType wide : {DType::kF32, DType::kF64}) {
      std::vector<std::uint16_t> all(65536), back(65536);
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
      std::vector<std::uint64_t> wider(65536);
      EXPECT_EQ(Convert(narrow, all.data(), wide, wider.data(), all.size()).count, 0u);
      EXPECT_EQ(Convert(wide, wider.data(), narrow, back.data(), all.size()).count, 0u);
      EXPECT_EQ(all, back);
    }
  }
}

TEST(Convert, ValuesAreTheSame) {
  EXPECT_EQ(Converted(DType::kBF16, 0x3f81, DType::kF32), BitsOf(1.0078125f));
  EXPECT_EQ(Converted(DType::kF16, 0x3c01, DType::kF32), BitsOf(1.0009765625f));
  EXPECT_EQ(Converted(DType::kF16, 0x0001, DType::kF32), BitsOf(std::ldexp(1.0f, -24)));
  EXPECT_EQ(Converted(DType::kF32, BitsOf(-0.0f), DType::kBF16), ElementBits{0x8000});
  EXPECT_EQ(Converted(DType::kF32, BitsOf(65504.0f), DType::kF16), ElementBits{0x7bff});
  EXPECT_EQ(Converted(DType::kF32, BitsOf(-std::numeric_limits<float>::infinity()), DType::kF16),
            ElementBits{0xfc00});
  EXPECT_EQ(Converted(DType::kF32, BitsOf(std::ldexp(3.0f, -24)), DType::kF16), ElementBits{3});
}

TEST(Convert, WhatTheNarrowerDoesNotHoldIsCounted) {
  EXPECT_EQ(Converted(DType::kF32, BitsOf(1.00000012f), DType::kBF16), std::nullopt);
  EXPECT_EQ(Converted(DType::kF32, BitsOf(65536.0f), DType::kF16), std::nullopt);
  EXPECT_EQ(Converted(DType::kF32, BitsOf(std::ldexp(1.0f, -25)), DType::kF16), std::nullopt);
  EXPECT_EQ(Converted(DType::kF64, 0x7fe0000000000000, DType::kF32), std::nullopt);
  EXPECT_EQ(Converted(DType::kF32, 0x7fc00001, DType::kBF16), std::nullopt) << "a payload";
  EXPECT_EQ(Converted(DType::kF32, 0x7f800001, DType::kBF16), std::nullopt) << "not an infinity";
  const float values[] = {1, 1.1f, 2, 1.2f};
  std::uint16_t out[4] = {};
  const Inexact inexact = Convert(DType::kF32, values, DType::kBF16, out, 4);
  EXPECT_EQ(inexact.count, 2u);
  EXPECT_EQ(inexact.first_index, 1u);
  EXPECT_THAT(out, testing::ElementsAre(0x3f80, 0, 0x4000, 0));
}

TEST(Convert, Integers) {
  EXPECT_EQ(Converted(DType::kI32, 0xffffffff, DType::kI64), ~ElementBits{0});
  EXPECT_EQ(Converted(DType::kI64, ~ElementBits{0}, DType::kI32), ElementBits{0xffffffff});
  EXPECT_EQ(Converted(DType::kI64, ElementBits{1} << 31, DType::kI32), std::nullopt);
  EXPECT_EQ(Converted(DType::kI32, 0xffffffff, DType::kU8), std::nullopt);
  EXPECT_EQ(Converted(DType::kU8, 0xff, DType::kI32), ElementBits{255});
}

TEST(PoisonThrough, BothSidesHoldIt) {
  for (const DType stored : kFloats) {
    for (const DType seen : kFloats) {
      if (!CanConvert(stored, seen)) continue;
      const ElementBits nan = PoisonThrough(stored, seen, PoisonKind::kQuietNaN);
      const ElementBits large = PoisonThrough(stored, seen, PoisonKind::kLargeFinite);
      EXPECT_NE(nan, large);
      EXPECT_TRUE(Converted(seen, nan, stored)) << NameOf(stored) << " " << NameOf(seen);
      EXPECT_TRUE(Converted(seen, large, stored)) << NameOf(stored) << " " << NameOf(seen);
      if (stored == seen) {
        EXPECT_EQ(nan, Poison(seen, PoisonKind::kQuietNaN));
      }
    }
  }
  EXPECT_EQ(PoisonThrough(DType::kI64, DType::kI32, PoisonKind::kLargeFinite, ValueRange{0, 9}),
            9u);
}

}  // namespace
}  // namespace parity
