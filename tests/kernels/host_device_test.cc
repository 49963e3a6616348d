#include "kernels/host_device.h"

#include <gtest/gtest.h>

namespace parity {
namespace {

TEST(HostDeviceTest, CastsBits) {
  EXPECT_EQ(BitCast<std::uint32_t>(1.0f), 0x3f800000u);
  EXPECT_EQ(BitCast<double>(std::uint64_t{0xc000000000000000}), -2.0);
}

TEST(HostDeviceTest, LoadsUnalignedElements) {
  const unsigned char bytes[] = {9, 1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(LoadElement<std::uint16_t>(bytes + 1, 0), 0x0201);
  EXPECT_EQ(LoadElement<std::uint32_t>(bytes + 1, 1), 0x08070605u);
}

TEST(HostDeviceTest, CountsBits) {
  EXPECT_EQ(BitWidth(0), 0);
  EXPECT_EQ(BitWidth(1), 1);
  EXPECT_EQ(BitWidth(2), 2);
  EXPECT_EQ(BitWidth(3), 2);
  EXPECT_EQ(BitWidth(4), 3);
  EXPECT_EQ(BitWidth(~std::uint64_t{0}), 64);
}

}  // namespace
}  // namespace parity
