// Collectives between ranks in host memory: parity_collective over a Meeting.
#ifndef GTEST_PARITY_ENGINE_COLLECTIVE_H_
#define GTEST_PARITY_ENGINE_COLLECTIVE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/engine/meeting.h"

namespace parity {

// One rank's end. Sums are taken in rank order on every rank, in the default floating-point mode
// whatever the caller's is, so that all ranks hold the same bits.
class Collective {
 public:
  // `waiting` shows that the rank waits; null, or outlives this object, as `meeting`'s memory does.
  Collective(const Meeting& meeting, uint32_t rank, std::atomic<uint32_t>* waiting);
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;

  const parity_collective* table() const { return &table_; }

 private:
  struct Calls;
  using Function = CollectiveCall::Function;

  parity_status Meet(const CollectiveCall& call);
  parity_status AllReduce(const CollectiveCall& call, char* data);
  parity_status ReduceScatter(const CollectiveCall& call, const char* sent, char* received);
  parity_status AllGather(const CollectiveCall& call, const char* sent, char* received);
  parity_status AllToAll(const CollectiveCall& call, const char* sent, char* received);
  parity_status Broadcast(const CollectiveCall& call, char* data);
  // Units of `unit` bytes that a desk takes, times `blocks`; at least 1.
  uint64_t PieceOf(uint64_t unit, uint64_t blocks) const;
  void LayBlocks(const char* sent, uint64_t block_bytes, uint64_t first, uint64_t bytes);
  void SumDesks(uint32_t dtype, uint64_t offset, uint64_t elements, char* out) const;

  Meeting meeting_;
  uint32_t rank_;
  std::atomic<uint32_t>* waiting_;
  parity_collective table_{};
};

// All ends, for ranks that are threads of one process, and the memory that they meet in.
class ThreadCollective {
 public:
  // `waiting`: one word per rank that outlives this object, or empty.
  explicit ThreadCollective(uint32_t rank_count, std::vector<std::atomic<uint32_t>*> waiting = {});

  const parity_collective* ForRank(uint32_t rank) const { return ends_[rank]->table(); }
  Meeting& meeting() { return meeting_; }
  void Cancel() { meeting_.Cancel(); }
  void Renew() { meeting_.Renew(); }

 private:
  struct alignas(64) Block {
    char bytes[64];
  };
  std::vector<Block> memory_;
  Meeting meeting_;
  std::vector<std::unique_ptr<Collective>> ends_;
};

}  // namespace parity

#endif  // GTEST_PARITY_ENGINE_COLLECTIVE_H_
