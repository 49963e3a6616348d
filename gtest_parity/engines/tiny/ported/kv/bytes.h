// Little-endian numbers in growing and in given bytes.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_KV_BYTES_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_KV_BYTES_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parity::tiny::ported {

template <std::unsigned_integral T>
void Append(std::string& bytes, T value) {
  for (std::size_t shift = 0; shift < 8 * sizeof(T); shift += 8) {
    bytes.push_back(static_cast<char>(value >> shift & 0xff));
  }
}

template <std::unsigned_integral T>
T NumberAt(std::string_view bytes, std::size_t at) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value |= static_cast<T>(static_cast<T>(static_cast<unsigned char>(bytes[at + i])) << 8 * i);
  }
  return value;
}

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_KV_BYTES_H_
