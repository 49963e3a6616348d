// The two generations of the KVC format: what a reader of each takes.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_KVC_GENERATION_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_KVC_GENERATION_H_

#include <cstdint>
#include <string_view>

namespace parity::kv {

struct KvcGeneration {
  std::string_view name;
  std::uint8_t abi = 0;     // byte 20, as written
  bool checks_abi = false;  // the older reader takes the byte for reserved and never looks
  std::uint8_t most_reason = 0;
  std::uint8_t known_ext = 0;  // flags that mean something
  std::uint32_t least_payload_version = 1, most_payload_version = 1;
};

inline constexpr KvcGeneration kKvcUpstream{"kvc_upstream", 0, false, 6, 0x0f, 1, 1};
inline constexpr KvcGeneration kKvcAbi2{"kvc_abi2", 2, true, 9, 0x7f, 1, 3};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_KVC_GENERATION_H_
