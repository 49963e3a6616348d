// Stored numbers, against definitions of another shape.
#include "gtest_parity/engines/llama_cpp/gguf/numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "gtest_parity/engines/llama_cpp/gguf/types.h"

namespace parity::gguf {
namespace {

using ::testing::ElementsAre;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The nearest of all numbers of a 16-bit format, the even one of two that are as near; by search.
template <typename Decode>
std::uint16_t NearestBySearch(double value, const Decode& decode, std::uint16_t largest) {
  std::uint16_t below = 0, above = largest;  // magnitudes grow with their bits
  while (above - below > 1) {
    const auto middle = static_cast<std::uint16_t>((below + above) / 2);
    (double{decode(middle)} <= std::fabs(value) ? below : above) = middle;
  }
  const double down = std::fabs(value) - double{decode(below)};
  const double up = double{decode(above)} - std::fabs(value);
  const std::uint16_t nearest = down < up || (down == up && below % 2 == 0) ? below : above;
  return static_cast<std::uint16_t>(nearest | (std::signbit(value) ? 0x8000 : 0));
}

TEST(Numbers, EveryF16AndBF16ComesBack) {
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    if (!std::isnan(OfF16(bits))) {
      EXPECT_EQ(F16Of(OfF16(bits)), bits);
    }
    if (!std::isnan(OfBF16(bits))) {
      EXPECT_EQ(BF16Of(OfBF16(bits)), bits);
    }
  }
}

TEST(Numbers, RoundsToTheNearest) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 100000; ++i) {
    const auto magnitude = static_cast<float>(
        std::ldexp(1 + double(random() % 8192) / 8192, static_cast<int>(random() % 42) - 26));
    const float value = random() % 2 == 0 ? magnitude : -magnitude;
    if (magnitude < 65504) {
      EXPECT_EQ(F16Of(value), NearestBySearch(value, OfF16, 0x7bff)) << value;
    }
    EXPECT_EQ(BF16Of(value), NearestBySearch(value, OfBF16, 0x7f7f)) << value;
  }
}

TEST(Numbers, TiesGoToTheEvenOne) {
  EXPECT_EQ(F16Of(1 + 0x1p-11f), 0x3c00);
  EXPECT_EQ(F16Of(1 + 3 * 0x1p-11f), 0x3c02);
  EXPECT_EQ(F16Of(0x1p-25f), 0x0000);
  EXPECT_EQ(F16Of(3 * 0x1p-25f), 0x0002);
  EXPECT_EQ(F16Of(-0x1p-24f), 0x8001);
  EXPECT_EQ(F16Of(0x1.ffep-15f), 0x0400);  // into the normal numbers
  EXPECT_EQ(BF16Of(1 + 0x1p-8f), 0x3f80);
  EXPECT_EQ(BF16Of(1 + 3 * 0x1p-8f), 0x3f82);
}

TEST(Numbers, WhatIsTooLargeIsAnInfinity) {
  EXPECT_EQ(F16Of(65519.996f), 0x7bff);
  EXPECT_EQ(F16Of(65520), 0x7c00);
  EXPECT_EQ(F16Of(-kInfinity), 0xfc00);
  EXPECT_EQ(BF16Of(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_TRUE(std::isnan(OfF16(F16Of(std::nanf("")))));
  EXPECT_TRUE(std::isnan(OfBF16(BF16Of(std::bit_cast<float>(0x7f800001u)))));
}

TEST(Numbers, HoldsIsOfTheTypesRange) {
  const auto holds = [](float value, std::uint32_t type) { return Holds({&value, 1}, type); };
  EXPECT_TRUE(holds(1e38f, kF32));
  EXPECT_TRUE(holds(65504, kF16));
  EXPECT_FALSE(holds(65520, kF16));
  EXPECT_FALSE(holds(std::numeric_limits<float>::max(), kBF16));
  EXPECT_TRUE(holds(8e6f, kQ8_0));
  EXPECT_FALSE(holds(9e6f, kQ8_0));
  for (const std::uint32_t type : {kF32, kF16, kBF16, kQ8_0}) {
    EXPECT_FALSE(holds(kInfinity, type));
    EXPECT_FALSE(holds(std::nanf(""), type));
  }
}

TEST(Q8, ABlockByHand) {
  // Largest 127: a scale of 1, so that what is stored are the values, rounded half away from zero.
  std::vector<float> values(32, 0.0f);
  values[0] = -127;
  values[1] = 0.5f;
  values[2] = -0.5f;
  values[3] = 2.5f;
  values[4] = 1.49f;
  const std::string block = Encode(values, kQ8_0);
  ASSERT_EQ(block.size(), 34u);
  EXPECT_EQ(block.substr(0, 7), std::string("\0\74\201\1\377\3\1", 7));
  EXPECT_EQ(block.substr(7), std::string(27, '\0'));
}

TEST(Q8, ABlockOfZerosHasNoScale) {
  const std::vector<float> zeros(32, 0.0f);
  EXPECT_EQ(Encode(zeros, kQ8_0), std::string(34, '\0'));
  EXPECT_EQ(Decode(std::string(34, '\0'), kQ8_0), zeros);
}

// The definition in exact numbers: f32 arithmetic may put a value near the middle between two on
// either side of it, and no farther.
TEST(Q8, EachValueIsTheNearestMultipleOfTheScale) {
  std::mt19937_64 random(3);
  for (int block = 0; block < 2000; ++block) {
    std::vector<float> values(32);
    double largest = 0;
    for (float& value : values) {
      value =
          static_cast<float>(static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-66);
      largest = std::max(largest, std::fabs(double{value}));
    }
    const std::string bytes = Encode(values, kQ8_0);
    const auto scale_bits = static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[0]) |
                                                       static_cast<unsigned char>(bytes[1]) << 8);
    EXPECT_EQ(scale_bits, NearestBySearch(largest / 127, OfF16, 0x7bff));
    for (std::size_t i = 0; i < 32; ++i) {
      const double exact = values[i] * 127 / largest;
      const int quant = static_cast<signed char>(bytes[2 + i]);
      EXPECT_LE(std::fabs(exact - quant), 0.5 + 1e-4);
    }
    const std::vector<float> back = Decode(bytes, kQ8_0);
    EXPECT_EQ(back[5], OfF16(scale_bits) * static_cast<float>(static_cast<signed char>(bytes[7])));
  }
}

TEST(Numbers, ListsOfEachTypeComeBack) {
  const std::vector<float> values = {1, -2, 0.5f, 65504};
  EXPECT_EQ(Encode(values, kF16), std::string("\0\74\0\300\0\70\377\173", 8));
  EXPECT_EQ(Encode({values.data(), 1}, kF32), std::string("\0\0\200\77", 4));
  EXPECT_EQ(Encode({values.data(), 1}, kBF16), std::string("\200\77", 2));
  EXPECT_EQ(Decode(Encode(values, kF16), kF16), values);
  EXPECT_EQ(Decode(Encode(values, kF32), kF32), values);
  EXPECT_THAT(Decode(std::string("\200\77\0\300", 4), kBF16), ElementsAre(1, -2));
}

TEST(Numbers, RefusesWhatItDoesNotComputeWith) {
  const std::vector<float> values(33);
  EXPECT_THROW(Encode(values, kQ8_0), std::invalid_argument);
  EXPECT_THROW(Encode(values, 2), std::invalid_argument);
  EXPECT_THROW(Decode(std::string(33, '\0'), kQ8_0), std::invalid_argument);
  EXPECT_THROW(Decode(std::string(3, '\0'), kF16), std::invalid_argument);
  EXPECT_THROW(Decode(std::string(4, '\0'), 2), std::invalid_argument);
}

}  // namespace
}  // namespace parity::gguf
