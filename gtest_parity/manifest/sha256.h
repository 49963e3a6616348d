// SHA-256 (FIPS 180-4), by OpenSSL.
#ifndef GTEST_PARITY_MANIFEST_SHA256_H_
#define GTEST_PARITY_MANIFEST_SHA256_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace parity {

class Sha256 {
 public:
  // Throws std::runtime_error where OpenSSL does not have it.
  Sha256();
  void Update(const void* data, std::size_t bytes);
  // 64 lower-case hexadecimal digits of all that was taken in; once, at the end.
  std::string Hex();

 private:
  struct Free {
    void operator()(void* context) const;
  };
  std::unique_ptr<void, Free> context_;
};

std::string Sha256Of(std::string_view bytes);

// Of a file's content. Throws InvalidInput if it cannot be read.
std::string HashFile(const std::string& path);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_SHA256_H_
