// Collectives between the ranks of one process, in host memory.
#ifndef GTEST_PARITY_ENGINE_COLLECTIVE_H_
#define GTEST_PARITY_ENGINE_COLLECTIVE_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "gtest_parity/engine/engine.h"

namespace parity {

// Serves parity_collective to `rank_count` threads. Sums are taken in rank order on every rank, so
// all ranks hold the same bits. A rank that waits shows it in its `waiting` word.
class ThreadCollective {
 public:
  // `waiting`: one word per rank that outlives this object, or empty.
  explicit ThreadCollective(uint32_t rank_count, std::vector<std::atomic<uint32_t>*> waiting = {});
  ThreadCollective(const ThreadCollective&) = delete;
  ThreadCollective& operator=(const ThreadCollective&) = delete;

  const parity_collective* ForRank(uint32_t rank) const { return &tables_[rank]; }
  // Every call in progress and to come returns PARITY_CANCELLED until Renew.
  void Cancel();
  // Only when no rank is inside a call.
  void Renew();

 private:
  struct Member {
    ThreadCollective* all;
    uint32_t rank;
  };
  struct Calls;

  parity_status Barrier(uint32_t rank);
  // Publishes `sent`, waits for all, runs `combine` on every rank, waits again.
  template <typename Combine>
  parity_status Exchange(uint32_t rank, const void* sent, Combine combine);

  const uint32_t rank_count_;
  std::vector<std::atomic<uint32_t>*> waiting_;
  std::vector<Member> members_;
  std::vector<parity_collective> tables_;
  std::vector<const void*> sent_;
  std::mutex mutex_;
  std::condition_variable all_here_;
  uint32_t arrived_ = 0;
  uint64_t generation_ = 0;
  bool cancelled_ = false;
};

}  // namespace parity

#endif  // GTEST_PARITY_ENGINE_COLLECTIVE_H_
