#include "gtest_parity/manifest/message_digest.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace parity {
namespace {

// FIPS 180-4's examples, taken in byte by byte.
TEST(MessageDigest, IsTheAlgorithmsThatIsNamed) {
  MessageDigest sha1("SHA1"), sha256("SHA256");
  for (const char c : std::string("abc")) {
    sha1.Update(&c, 1);
    sha256.Update(&c, 1);
  }
  EXPECT_EQ(sha1.Hex(), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha256.Hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(MessageDigest, OfNothing) {
  EXPECT_EQ(MessageDigest("SHA1").Hex(), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}

TEST(MessageDigest, AnUnknownAlgorithmIsNamed) {
  try {
    MessageDigest("SHA3-1");
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "SHA3-1 is not available from OpenSSL");
  }
}

}  // namespace
}  // namespace parity
