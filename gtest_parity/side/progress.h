// What the judge can see of a rank that no longer answers.
#ifndef GTEST_PARITY_SIDE_PROGRESS_H_
#define GTEST_PARITY_SIDE_PROGRESS_H_

#include <atomic>
#include <cstdint>

namespace parity {

// One per rank, in memory shared with the judge; it outlives the engine host.
struct alignas(64) RankProgress {
  volatile std::uint64_t op = 0;               // the engine's own word: 1 + op index, 0: none
  std::atomic<std::uint32_t> instruction = 0;  // 1 + index in the script, 0: idle, or kLoading
  std::atomic<std::uint32_t> waiting = 0;      // inside a host collective
  std::atomic<std::uint64_t> died = 0;  // when it ended its process, monotonic ns; 0: no word
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

// RankProgress::instruction of a rank that is being created.
inline constexpr std::uint32_t kLoading = ~std::uint32_t{0};
inline constexpr std::uint32_t kMaxRanks = 64;
inline constexpr std::uint64_t kProgressBytes = kMaxRanks * sizeof(RankProgress);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_PROGRESS_H_
