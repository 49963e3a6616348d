// SHA-256 (FIPS 180-4).
#ifndef GTEST_PARITY_MANIFEST_SHA256_H_
#define GTEST_PARITY_MANIFEST_SHA256_H_

#include <string>
#include <string_view>

#include "gtest_parity/manifest/message_digest.h"

namespace parity {

// 64 digits.
class Sha256 : public MessageDigest {
 public:
  Sha256() : MessageDigest("SHA256") {}
};

std::string Sha256Of(std::string_view bytes);

// Of a file's content. Throws InvalidInput if it cannot be read.
std::string HashFile(const std::string& path);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_SHA256_H_
