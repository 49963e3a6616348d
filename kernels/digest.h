// A 128-bit digest of bytes, to compare what two ranks hold without moving it. Not cryptographic:
// it finds accidents, not forgery.
//
// The bytes are read as little-endian 64-bit words, the last filled up with zeros. With arithmetic
// modulo 2^64 and Mix a bijection,
//   x_i    = Mix(word_i ^ Mix(i + 1)),
//   first  = Mix(sum x_i + bytes),
//   second = Mix(sum Mix(x_i + kSecondStream) + bytes).
// The sums take words in any order, as a device's threads come. A change of one word always changes
// both halves.
#ifndef GTEST_PARITY_KERNELS_DIGEST_H_
#define GTEST_PARITY_KERNELS_DIGEST_H_

#include <cstdint>
#include <string>

#include "kernels/host_device.h"

namespace parity {

inline constexpr std::uint64_t kSecondStream = 0x9e3779b97f4a7c15;

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014, variant 13 of Stafford).
PARITY_HOST_DEVICE constexpr std::uint64_t Mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

struct Digest {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  // Takes in word `index`.
  PARITY_HOST_DEVICE constexpr void Add(std::uint64_t index, std::uint64_t word) {
    const std::uint64_t mixed = Mix(word ^ Mix(index + 1));
    first += mixed;
    second += Mix(mixed + kSecondStream);
  }
  // After the last word: what the digest of `bytes` bytes is.
  PARITY_HOST_DEVICE constexpr Digest Finished(std::uint64_t bytes) const {
    return {Mix(first + bytes), Mix(second + bytes)};
  }
  friend bool operator==(const Digest&, const Digest&) = default;
};

// Bytes to take a digest of.
struct DigestTask {
  const void* data = nullptr;
  std::uint64_t bytes = 0;
};

// `data` need not be aligned.
Digest DigestOf(const void* data, std::uint64_t bytes);

// 32 lower-case hexadecimal digits, `first` before `second`.
std::string HexText(const Digest& digest);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_DIGEST_H_
