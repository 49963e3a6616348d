#include "suites/kv/formats/sha1.h"

#include <gtest/gtest.h>

namespace parity::kv {
namespace {

// The specification's examples.
TEST(Sha1, IsThatOfTheSpecification) {
  EXPECT_EQ(Sha1Of("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(Sha1Of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(Sha1Of(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}

TEST(Sha1, PiecesMakeTheWhole) {
  Sha1 hash;
  hash.Update("a", 1);
  hash.Update("bc", 2);
  EXPECT_EQ(hash.Hex(), Sha1Of("abc"));
}

}  // namespace
}  // namespace parity::kv
