#include "gtest_parity/side/siphash.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace parity {
namespace {

// Appendix A of the paper, and the authors' vectors: key 00 01 ... 0f, message 00 01 02 ...
TEST(SipHash, PublishedVectors) {
  const SipKey key = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
  std::vector<unsigned char> message(15);
  std::iota(message.begin(), message.end(), 0);
  EXPECT_EQ(SipHash(key, message.data(), 15), 0xa129ca6149be45e5);
  EXPECT_EQ(SipHash(key, message.data(), 0), 0x726fdb47dd0e0e31);
  EXPECT_EQ(SipHash(key, message.data(), 8), 0x93f5f5799a932462);
}

}  // namespace
}  // namespace parity
