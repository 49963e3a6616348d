// Where the ranks of a side meet in a collective: memory that threads or processes share.
#ifndef GTEST_PARITY_ENGINE_MEETING_H_
#define GTEST_PARITY_ENGINE_MEETING_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/engine/engine.h"

namespace parity {

// What a rank comes to a meeting for. All ranks have to come for the same.
struct CollectiveCall {
  enum Function : uint32_t {
    kNone,
    kBarrier,
    kAllReduceSum,
    kAllGather,
    kReduceScatterSum,
    kAllToAll,
    kBroadcast
  };
  Function function = kNone;
  uint32_t dtype = 0;  // parity_dtype, of sums
  uint32_t root = 0;   // of broadcast
  uint64_t size = 0;   // elements of sums, bytes of the others
  // "all_reduce_sum of 64 f32", "broadcast of 8 bytes from rank 1"
  std::string Text() const;
  friend bool operator==(const CollectiveCall&, const CollectiveCall&) = default;
};

// Ranks that came for different things, or did not come at all.
struct Disagreement {
  std::string words;  // names them all
  std::vector<int>
      ranks;  // the fewer, who are to blame; where that is no one: those who left, or all
};

// A handle on the memory: as many as there are ranks, in as many processes, may be made on one
// memory. There is no lock that a rank could die with: a rank that dies leaves the others waiting
// until someone who saw it die says Cancel.
class Meeting {
 public:
  static constexpr uint64_t kDeskBytes = uint64_t{1} << 20;
  static uint64_t BytesFor(uint32_t rank_count);

  // `memory`: BytesFor(rank_count) bytes, all zero before the first use, aligned to 64. It outlives
  // this object.
  Meeting(void* memory, uint32_t rank_count);

  // Waits until every rank has called this as often. PARITY_CANCELLED after Cancel; PARITY_INVALID
  // once the ranks disagree. `waiting` is 1 meanwhile; may be null.
  parity_status Meet(uint32_t rank, const CollectiveCall& call, std::atomic<uint32_t>* waiting);
  // This rank comes to no more meetings until Renew: whoever waits for it waits for nothing.
  void Leave(uint32_t rank);
  // Every call in progress and to come returns PARITY_CANCELLED until Renew.
  void Cancel();
  // Only when no rank is inside a call.
  void Renew();
  std::optional<Disagreement> disagreement() const;

  uint32_t rank_count() const { return rank_count_; }
  // kDeskBytes where a rank lays what the others read, between two meetings.
  char* Desk(uint32_t rank) const;

 private:
  struct Header;
  struct Place;
  parity_status Ended() const;
  bool Agrees(uint32_t meeting, const CollectiveCall& call) const;
  bool SomeoneLeft(uint32_t meeting) const;
  parity_status Wait(uint32_t meeting, uint32_t generation);
  parity_status Disagree(uint32_t meeting);
  void Wake();

  Header* header_;
  Place* places_;  // [rank_count]
  char* desks_;    // [rank_count][kDeskBytes]
  uint32_t rank_count_;
};

}  // namespace parity

#endif  // GTEST_PARITY_ENGINE_MEETING_H_
