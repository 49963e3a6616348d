#include "kernels/changed.h"

#include <algorithm>
#include <cstring>

namespace parity {
namespace {

constexpr std::uint64_t kWordBytes = 64 * kBlockBytes;  // bytes that one word of the bitmap covers

std::uint64_t ChangedWord(const unsigned char* a, const unsigned char* b, std::uint64_t bytes) {
  if (std::memcmp(a, b, bytes) == 0) return 0;
  std::uint64_t word = 0;
  for (std::uint64_t begin = 0; begin < bytes; begin += kBlockBytes) {
    const std::uint64_t size = std::min(kBlockBytes, bytes - begin);
    word |= std::uint64_t{BlockDiffers(a + begin, b + begin, size)} << (begin / kBlockBytes);
  }
  return word;
}

}  // namespace

std::vector<std::uint64_t> ChangedBlocks(const void* a, const void* b, std::uint64_t bytes) {
  const auto* x = static_cast<const unsigned char*>(a);
  const auto* y = static_cast<const unsigned char*>(b);
  std::vector<std::uint64_t> bitmap((bytes + kWordBytes - 1) / kWordBytes);
  for (std::uint64_t i = 0; i < bitmap.size(); ++i) {
    const std::uint64_t begin = i * kWordBytes;
    bitmap[i] = ChangedWord(x + begin, y + begin, std::min(kWordBytes, bytes - begin));
  }
  return bitmap;
}

}  // namespace parity
