// Sizes that a file claims: sums and products that say when 64 bits do not hold them.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_CHECKED_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_CHECKED_H_

#include <cstdint>
#include <optional>

namespace parity::kv {

inline std::optional<std::uint64_t> CheckedSum(std::uint64_t a, std::uint64_t b) {
  if (a > UINT64_MAX - b) return std::nullopt;
  return a + b;
}

inline std::optional<std::uint64_t> CheckedProduct(std::uint64_t a, std::uint64_t b) {
  if (b != 0 && a > UINT64_MAX / b) return std::nullopt;
  return a * b;
}

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_CHECKED_H_
