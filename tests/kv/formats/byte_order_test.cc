#include "suites/kv/formats/byte_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity::kv {
namespace {

TEST(ByteOrder, LoadsBothOrdersOfEveryWidth) {
  const std::vector<std::uint8_t> bytes = {1, 2, 3, 4, 5, 6, 7, 0xf8};
  EXPECT_EQ(LoadUnsigned(std::span(bytes).first(3)), 0x030201u);
  EXPECT_EQ(LoadUnsigned(std::span(bytes).first(3), true), 0x010203u);
  EXPECT_EQ(LoadUnsigned(bytes), 0xf807060504030201u);
  EXPECT_EQ(LoadUnsigned(bytes, true), 0x01020304050607f8u);
}

TEST(ByteOrder, StoresWhatItLoads) {
  for (const bool big : {false, true}) {
    for (std::size_t width = 1; width <= 8; ++width) {
      const std::uint64_t value = 0x8899aabbccddeeffu >> (64 - 8 * width);
      std::vector<std::uint8_t> bytes(width);
      StoreUnsigned(value, bytes, big);
      EXPECT_EQ(LoadUnsigned(bytes, big), value) << width;
    }
  }
}

TEST(ByteOrder, AppendsLittleEndian) {
  std::vector<std::uint8_t> bytes = {9};
  AppendUnsigned(0x0102, 4, &bytes);
  EXPECT_THAT(bytes, ::testing::ElementsAre(9, 2, 1, 0, 0));
}

}  // namespace
}  // namespace parity::kv
