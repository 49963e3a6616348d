#include "gtest_parity/engines/tiny/ported/kv/digest.h"

#include <openssl/evp.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <vector>

#include "gtest_parity/engines/tiny/ported/kv/bytes.h"

namespace parity::tiny::ported {

Digest::Digest(const evp_md_st* kind) : context_(EVP_MD_CTX_new()) {
  if (!context_ || EVP_DigestInit_ex(context_.get(), kind, nullptr) != 1) throw std::bad_alloc();
}

void Digest::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Digest Digest::Sha1() { return Digest(EVP_sha1()); }
Digest Digest::Sha256() { return Digest(EVP_sha256()); }

Digest& Digest::Add(std::string_view bytes) {
  EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
  return *this;
}

std::string Digest::Finish() {
  std::string bytes(EVP_MAX_MD_SIZE, '\0');
  unsigned count = 0;
  EVP_DigestFinal_ex(context_.get(), reinterpret_cast<unsigned char*>(bytes.data()), &count);
  bytes.resize(count);
  return bytes;
}

std::string Hexadecimal(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += kDigits[static_cast<unsigned char>(byte) >> 4];
    text += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

std::string KeyOf(std::string_view text) { return Hexadecimal(Digest::Sha1().Add(text).Finish()); }

std::string IdentityOf(const std::string& model) {
  std::ifstream config(model + "/config.json", std::ios::binary);
  std::ifstream weights(model + "/model.safetensors", std::ios::binary);
  std::string length(8, '\0');
  if (!config || !weights.read(length.data(), 8)) return "";
  Digest digest = Digest::Sha256();
  digest.Add(std::string(std::istreambuf_iterator<char>(config), {}));
  weights.seekg(static_cast<std::streamoff>(8 + NumberAt<std::uint64_t>(length, 0)));
  std::vector<char> block(1u << 20);
  while (weights) {
    weights.read(block.data(), static_cast<std::streamsize>(block.size()));
    digest.Add({block.data(), static_cast<std::size_t>(weights.gcount())});
  }
  return weights.bad() ? std::string() : digest.Finish();
}

}  // namespace parity::tiny::ported
