#include "suites/wire/transcript/base64.h"

#include <openssl/evp.h>

namespace parity::wire {
namespace {

const unsigned char* Unsigned(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* Unsigned(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

}  // namespace

std::string Base64(std::string_view bytes) {
  // The library writes a zero byte behind its text.
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int length =
      EVP_EncodeBlock(Unsigned(text), Unsigned(bytes), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

std::optional<std::string> FromBase64(std::string_view text) {
  std::string bytes(3 * (text.size() / 4) + 1, '\0');
  const int length =
      EVP_DecodeBlock(Unsigned(bytes), Unsigned(text), static_cast<int>(text.size()));
  if (length < 0) return std::nullopt;
  // It counts what the padding stands for.
  std::size_t size = static_cast<std::size_t>(length);
  if (text.ends_with("==")) {
    size -= 2;
  } else if (text.ends_with("=")) {
    size -= 1;
  }
  bytes.resize(size);
  // Blanks around it and stray bits in its last character decode too, but are not what was written.
  if (Base64(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace parity::wire
