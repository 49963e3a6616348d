// Integers as bytes, in the order that the format says and not the machine.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_BYTE_ORDER_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_BYTE_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace parity::kv {

// At most 8 bytes.
inline std::uint64_t LoadUnsigned(std::span<const std::uint8_t> bytes, bool big_endian = false) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    value = value << 8 | bytes[big_endian ? i : bytes.size() - 1 - i];
  }
  return value;
}

// The low `bytes.size()` bytes of `value`.
inline void StoreUnsigned(std::uint64_t value, std::span<std::uint8_t> bytes,
                          bool big_endian = false) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[big_endian ? bytes.size() - 1 - i : i] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

inline void AppendUnsigned(std::uint64_t value, std::size_t width, std::vector<std::uint8_t>* out) {
  out->resize(out->size() + width);
  StoreUnsigned(value, std::span(*out).last(width));
}

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_BYTE_ORDER_H_
