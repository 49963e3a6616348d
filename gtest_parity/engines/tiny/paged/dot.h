// The one dot product of the paged engine, and the order in which it sums.
#ifndef GTEST_PARITY_ENGINES_TINY_PAGED_DOT_H_
#define GTEST_PARITY_ENGINES_TINY_PAGED_DOT_H_

#include <cstdint>
#include <cstring>

namespace parity::tiny::paged {

inline constexpr std::uint64_t kLanes = 16;

// Adds upper halves to lower ones: lanes i and i + 8, then i and i + 4, 2, 1.
inline float SumLanes(float* lanes) {
  for (std::uint64_t width = kLanes / 2; width > 0; width /= 2) {
    for (std::uint64_t lane = 0; lane < width; ++lane) lanes[lane] += lanes[lane + width];
  }
  return lanes[0];
}

// Lane l of 16 sums the products of elements l, l + 16, l + 32, ... in that order, from 0; then
// SumLanes. `count` is a multiple of 16. With `order` ([16], a permutation) the lanes are put in
// that order first.
inline float Dot(const float* a, const float* b, std::uint64_t count,
                 const std::uint8_t* order = nullptr) {
  using Four = float __attribute__((vector_size(16)));
  const auto load = [](const float* from) {
    Four four;
    std::memcpy(&four, from, sizeof(four));
    return four;
  };
  Four sum0{}, sum1{}, sum2{}, sum3{};
  for (std::uint64_t i = 0; i < count; i += kLanes) {
    sum0 += load(a + i) * load(b + i);
    sum1 += load(a + i + 4) * load(b + i + 4);
    sum2 += load(a + i + 8) * load(b + i + 8);
    sum3 += load(a + i + 12) * load(b + i + 12);
  }
  float lanes[kLanes];
  std::memcpy(lanes, &sum0, sizeof(sum0));
  std::memcpy(lanes + 4, &sum1, sizeof(sum1));
  std::memcpy(lanes + 8, &sum2, sizeof(sum2));
  std::memcpy(lanes + 12, &sum3, sizeof(sum3));
  if (order == nullptr) return SumLanes(lanes);
  float shuffled[kLanes];
  for (std::uint64_t lane = 0; lane < kLanes; ++lane) shuffled[lane] = lanes[order[lane]];
  return SumLanes(shuffled);
}

}  // namespace parity::tiny::paged

#endif  // GTEST_PARITY_ENGINES_TINY_PAGED_DOT_H_
