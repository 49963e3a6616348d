// The same stretch of two files as hexadecimal, one below the other.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_HEX_WINDOW_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_HEX_WINDOW_H_

#include <cstdint>
#include <string>
#include <vector>

namespace parity::kv {

inline constexpr std::size_t kWindowLineBytes = 16;

struct WindowByte {
  std::uint8_t value = 0;
  bool masked = false;  // shown as "--", and never different
};

// Lines of 16 bytes, the first of them labelled `offset`; below both sides a marker under each byte
// that differs or that one side lacks. Lines without any have no marker.
std::string HexWindow(std::uint64_t offset, const std::vector<WindowByte>& reference,
                      const std::vector<WindowByte>& candidate);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_HEX_WINDOW_H_
