// SHA-1 (FIPS 180-4), by OpenSSL: for names, not for trust.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_SHA1_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_SHA1_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace parity::kv {

class Sha1 {
 public:
  // Throws std::runtime_error where OpenSSL does not have it.
  Sha1();
  void Update(const void* data, std::size_t bytes);
  // 40 lower-case hexadecimal digits of all that was taken in; once, at the end.
  std::string Hex();

 private:
  struct Free {
    void operator()(void* context) const;
  };
  std::unique_ptr<void, Free> context_;
};

std::string Sha1Of(std::string_view bytes);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_SHA1_H_
