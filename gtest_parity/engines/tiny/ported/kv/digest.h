// Hashes of texts and of a model.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_KV_DIGEST_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_KV_DIGEST_H_

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;
struct evp_md_st;

namespace parity::tiny::ported {

class Digest {
 public:
  static Digest Sha1();
  static Digest Sha256();
  Digest& Add(std::string_view bytes);
  // The raw bytes; nothing can be added any more.
  std::string Finish();

 private:
  explicit Digest(const evp_md_st* kind);
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

std::string Hexadecimal(std::string_view bytes);
// A record's key.
std::string KeyOf(std::string_view text);
// 32 bytes over config.json and all of model.safetensors behind its JSON; empty where one of them
// cannot be read.
std::string IdentityOf(const std::string& model);

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_KV_DIGEST_H_
