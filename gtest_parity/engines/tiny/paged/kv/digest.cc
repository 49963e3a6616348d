#include "gtest_parity/engines/tiny/paged/kv/digest.h"

#include <openssl/evp.h>

#include <cstdio>
#include <string>

#include "gtest_parity/engines/tiny/paged/kv/format.h"

namespace parity::tiny::paged {
namespace {

// Feeds the file from `skip` on; with `skips_json`, from behind the header whose length it begins
// with.
bool Feed(EVP_MD_CTX* context, const std::string& path, bool skips_json) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  unsigned char chunk[65536];
  bool good = true;
  if (skips_json) {
    good = std::fread(chunk, 1, 8, file) == 8 &&
           fseeko(file, static_cast<off_t>(8 + KvcGet64(chunk)), SEEK_SET) == 0;
  }
  std::size_t count = 0;
  while (good && (count = std::fread(chunk, 1, sizeof(chunk), file)) > 0) {
    good = EVP_DigestUpdate(context, chunk, count) == 1;
  }
  good = good && std::ferror(file) == 0;
  std::fclose(file);
  return good;
}

}  // namespace

void KvcSha1(const void* bytes, std::size_t count, char out[41]) {
  unsigned char digest[20];
  unsigned length = sizeof(digest);
  EVP_Digest(bytes, count, digest, &length, EVP_sha1(), nullptr);
  for (int i = 0; i < 20; ++i) std::snprintf(out + 2 * i, 3, "%02x", digest[i]);
}

bool KvcIdentity(const char* model, unsigned char out[32]) {
  const std::string folder = model;
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  if (context == nullptr) return false;
  unsigned length = 32;
  const bool good = EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1 &&
                    Feed(context, folder + "/config.json", false) &&
                    Feed(context, folder + "/model.safetensors", true) &&
                    EVP_DigestFinal_ex(context, out, &length) == 1;
  EVP_MD_CTX_free(context);
  return good;
}

}  // namespace parity::tiny::paged
