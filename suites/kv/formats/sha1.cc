#include "suites/kv/formats/sha1.h"

#include <openssl/evp.h>

#include <stdexcept>

#include "suites/kv/formats/record_reader.h"

namespace parity::kv {

void Sha1::Free::operator()(void* context) const {
  EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context));
}

Sha1::Sha1() : context_(EVP_MD_CTX_new()) {
  if (!context_ ||
      EVP_DigestInit_ex(static_cast<EVP_MD_CTX*>(context_.get()), EVP_sha1(), nullptr) != 1) {
    throw std::runtime_error("sha1 is not available from OpenSSL");
  }
}

void Sha1::Update(const void* data, std::size_t bytes) {
  EVP_DigestUpdate(static_cast<EVP_MD_CTX*>(context_.get()), data, bytes);
}

std::string Sha1::Hex() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_DigestFinal_ex(static_cast<EVP_MD_CTX*>(context_.get()), digest, &size);
  return HexOf({digest, size});
}

std::string Sha1Of(std::string_view bytes) {
  Sha1 hash;
  hash.Update(bytes.data(), bytes.size());
  return hash.Hex();
}

}  // namespace parity::kv
