#include "kernels/digest.h"

#include <bit>
#include <cstdio>
#include <cstring>

namespace parity {

static_assert(std::endian::native == std::endian::little);

Digest DigestOf(const void* data, std::uint64_t bytes) {
  const auto* base = static_cast<const unsigned char*>(data);
  const std::uint64_t words = bytes / 8, tail = bytes % 8;
  Digest digest;
  for (std::uint64_t i = 0; i < words; ++i) digest.Add(i, LoadElement<std::uint64_t>(base, i));
  if (tail != 0) {
    std::uint64_t word = 0;
    std::memcpy(&word, base + words * 8, tail);
    digest.Add(words, word);
  }
  return digest.Finished(bytes);
}

std::string HexText(const Digest& digest) {
  char text[33];
  std::snprintf(text, sizeof(text), "%016llx%016llx", static_cast<unsigned long long>(digest.first),
                static_cast<unsigned long long>(digest.second));
  return text;
}

}  // namespace parity
