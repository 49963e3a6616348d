// SipHash-2-4: a keyed hash that nobody without the key can make.
#ifndef GTEST_PARITY_SIDE_SIPHASH_H_
#define GTEST_PARITY_SIDE_SIPHASH_H_

#include <cstddef>
#include <cstdint>

namespace parity {

struct SipKey {
  std::uint64_t first = 0, second = 0;
};

// Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012. Own code because the engine host
// links no library that an engine might bring.
std::uint64_t SipHash(const SipKey& key, const void* data, std::size_t bytes);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_SIPHASH_H_
