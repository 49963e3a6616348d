#include "kernels/changed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace parity {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ChangedTest, NothingHasNoBlocks) {
  EXPECT_THAT(ChangedBlocks(nullptr, nullptr, 0), IsEmpty());
}

TEST(ChangedTest, EqualBytesHaveNoChangedBlock) {
  const std::vector<unsigned char> a(4097, 7);
  EXPECT_THAT(ChangedBlocks(a.data(), a.data(), a.size()), ElementsAre(0u, 0u));
}

TEST(ChangedTest, ABlockIsSixtyFourBytes) {
  const std::vector<unsigned char> a(8192);
  for (const std::uint64_t at : {0, 63, 64, 4095, 4096, 8191}) {
    std::vector<unsigned char> b = a;
    b[at] = 1;
    std::vector<std::uint64_t> expected(2);
    expected[at / 4096] = std::uint64_t{1} << (at / 64 % 64);
    EXPECT_EQ(ChangedBlocks(a.data(), b.data(), a.size()), expected) << "byte " << at;
  }
}

TEST(ChangedTest, TheLastBlockMayBeShort) {
  std::vector<unsigned char> a(130), b(130);
  b[128] = 1;
  EXPECT_THAT(ChangedBlocks(a.data(), b.data(), 128), ElementsAre(0u));
  EXPECT_THAT(ChangedBlocks(a.data(), b.data(), 129), ElementsAre(4u));
}

TEST(ChangedTest, AgreesWithALoopOverBytesAtAnyAlignment) {
  std::mt19937 random(2);
  for (const std::uint64_t bytes : {1, 63, 65, 4096, 4097, 100001}) {
    for (const std::uint64_t shift : {0, 1, 3}) {
      std::vector<unsigned char> a(bytes + shift), b;
      for (auto& byte : a) byte = static_cast<unsigned char>(random());
      b = a;
      std::vector<std::uint64_t> expected((bytes + 4095) / 4096);
      for (std::uint64_t i = 0; i < bytes; i += 1 + random() % 300) {
        b[shift + i] ^= 0x10;
        expected[i / 4096] |= std::uint64_t{1} << (i / 64 % 64);
      }
      EXPECT_EQ(ChangedBlocks(a.data() + shift, b.data() + shift, bytes), expected);
    }
  }
}

}  // namespace
}  // namespace parity
