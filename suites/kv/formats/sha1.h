// SHA-1 (FIPS 180-4): for names, not for trust.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_SHA1_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_SHA1_H_

#include <string>
#include <string_view>

#include "gtest_parity/manifest/message_digest.h"

namespace parity::kv {

// 40 digits.
class Sha1 : public MessageDigest {
 public:
  Sha1() : MessageDigest("SHA1") {}
};

std::string Sha1Of(std::string_view bytes);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_SHA1_H_
