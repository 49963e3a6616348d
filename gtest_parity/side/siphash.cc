#include "gtest_parity/side/siphash.h"

#include <bit>
#include <cstring>

namespace parity {
namespace {

static_assert(std::endian::native == std::endian::little);

struct State {
  std::uint64_t v0, v1, v2, v3;

  void Rounds(int count) {
    for (int i = 0; i < count; ++i) {
      v0 += v1;
      v1 = std::rotl(v1, 13) ^ v0;
      v0 = std::rotl(v0, 32);
      v2 += v3;
      v3 = std::rotl(v3, 16) ^ v2;
      v0 += v3;
      v3 = std::rotl(v3, 21) ^ v0;
      v2 += v1;
      v1 = std::rotl(v1, 17) ^ v2;
      v2 = std::rotl(v2, 32);
    }
  }
  void Take(std::uint64_t word) {
    v3 ^= word;
    Rounds(2);
    v0 ^= word;
  }
};

}  // namespace

std::uint64_t SipHash(const SipKey& key, const void* data, std::size_t bytes) {
  State state = {key.first ^ 0x736f6d6570736575, key.second ^ 0x646f72616e646f6d,
                 key.first ^ 0x6c7967656e657261, key.second ^ 0x7465646279746573};
  const auto* at = static_cast<const unsigned char*>(data);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes / 8; ++i) {
    std::memcpy(&word, at + 8 * i, sizeof(word));
    state.Take(word);
  }
  word = 0;
  if (bytes % 8 != 0) std::memcpy(&word, at + bytes / 8 * 8, bytes % 8);
  state.Take(word | std::uint64_t{bytes & 0xff} << 56);
  state.v2 ^= 0xff;
  state.Rounds(4);
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

}  // namespace parity
