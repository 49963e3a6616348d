#include "gtest_parity/manifest/message_digest.h"

#include <openssl/evp.h>

#include <stdexcept>

namespace parity {

void MessageDigest::Free::operator()(void* context) const {
  EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context));
}

MessageDigest::MessageDigest(const char* algorithm) : context_(EVP_MD_CTX_new()) {
  const EVP_MD* type = EVP_get_digestbyname(algorithm);
  if (!context_ || type == nullptr ||
      EVP_DigestInit_ex(static_cast<EVP_MD_CTX*>(context_.get()), type, nullptr) != 1) {
    throw std::runtime_error(std::string(algorithm) + " is not available from OpenSSL");
  }
}

void MessageDigest::Update(const void* data, std::size_t bytes) {
  EVP_DigestUpdate(static_cast<EVP_MD_CTX*>(context_.get()), data, bytes);
}

std::string MessageDigest::Hex() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_DigestFinal_ex(static_cast<EVP_MD_CTX*>(context_.get()), digest, &size);
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

}  // namespace parity
