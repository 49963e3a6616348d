// Hashes of bytes, by OpenSSL.
#ifndef GTEST_PARITY_MANIFEST_MESSAGE_DIGEST_H_
#define GTEST_PARITY_MANIFEST_MESSAGE_DIGEST_H_

#include <cstddef>
#include <memory>
#include <string>

namespace parity {

class MessageDigest {
 public:
  // `algorithm`: OpenSSL's name of it, "SHA256". Throws std::runtime_error where there is none.
  explicit MessageDigest(const char* algorithm);
  void Update(const void* data, std::size_t bytes);
  // Lower-case hexadecimal digits of all that was taken in; once, at the end.
  std::string Hex();

 private:
  struct Free {
    void operator()(void* context) const;
  };
  std::unique_ptr<void, Free> context_;
};

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_MESSAGE_DIGEST_H_
