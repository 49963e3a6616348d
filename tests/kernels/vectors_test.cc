#include "kernels/vectors.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/kernels/reference.h"

namespace parity {
namespace {

// Lane 0 has the first 16 bytes, lane 1 the next.
template <typename Format>
void ExpectWidened(const std::vector<typename Format::Bits>& two_loads) {
  const std::size_t per_load = two_loads.size() / 2;
  std::vector<Floats> floats(per_load / 2);
  WidenLanes<Format>(reinterpret_cast<const unsigned char*>(two_loads.data()), floats.data());
  for (std::size_t i = 0; i < two_loads.size(); ++i) {
    const float got = floats[i / 4][i % 4];
    const auto bits = two_loads[i % 2 * per_load + i / 2];
    const float expected = Format::Decode(bits);
    if (Format::IsNan(bits)) {
      EXPECT_NE(got, got) << bits;
    } else {
      EXPECT_EQ(BitCast<std::uint32_t>(got), BitCast<std::uint32_t>(expected)) << bits;
    }
  }
}

template <typename Format>
void ExpectAllWidened() {
  for (std::uint32_t first = 0; first < 65536; first += 16) {
    std::vector<std::uint16_t> loads;
    for (std::uint32_t i = 0; i < 16; ++i) loads.push_back(static_cast<std::uint16_t>(first + i));
    ExpectWidened<Format>(loads);
  }
}

TEST(WidenLanes, EveryF16) { ExpectAllWidened<F16>(); }
TEST(WidenLanes, EveryBF16) { ExpectAllWidened<BF16>(); }

TEST(WidenLanes, F32) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::uint32_t> loads(8);
    for (auto& bits : loads) bits = static_cast<std::uint32_t>(RandomElement(DType::kF32, random));
    ExpectWidened<F32>(loads);
  }
}

TEST(Vectors, HalvesMagnitudesAndMaxima) {
  const Floats values = {1, -2, 3, -4}, others = {-1, 5, 3, 0};
  EXPECT_EQ(LowHalf(values)[1], -2);
  EXPECT_EQ(HighHalf(values)[0], 3);
  EXPECT_EQ(Magnitude(values)[3], 4);
  EXPECT_EQ(Larger(values, others)[1], 5);
  EXPECT_TRUE(Any(values > others));
  EXPECT_FALSE(Any(values > values));
}

}  // namespace
}  // namespace parity
