#include "gtest_parity/engine/meeting.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <map>

namespace parity {
namespace {

enum State : uint32_t { kOpen, kCancelled, kDisagreed };

const char* NameOf(CollectiveCall::Function function) {
  switch (function) {
    case CollectiveCall::kNone:
      return "nothing";
    case CollectiveCall::kBarrier:
      return "barrier";
    case CollectiveCall::kAllReduceSum:
      return "all_reduce_sum";
    case CollectiveCall::kAllGather:
      return "all_gather";
    case CollectiveCall::kReduceScatterSum:
      return "reduce_scatter_sum";
    case CollectiveCall::kAllToAll:
      return "all_to_all";
    case CollectiveCall::kBroadcast:
      return "broadcast";
  }
  return "what is no collective";
}

std::string DTypeText(uint32_t dtype) {
  constexpr const char* kNames[] = {"f64", "f32", "f16", "bf16", "i32", "i64", "u8"};
  return dtype < std::size(kNames) ? kNames[dtype] : "dtype " + std::to_string(dtype);
}

std::string RanksText(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank" : "ranks";
  for (const int rank : ranks) text += " " + std::to_string(rank);
  return text;
}

// Of processes, not of threads: the memory may be shared. Wakes by itself now and then, so that no
// lost wake-up is for ever.
void FutexWait(std::atomic<uint32_t>* word, uint32_t seen) {
  const timespec second = {1, 0};
  syscall(SYS_futex, word, FUTEX_WAIT, seen, &second, nullptr, 0);
}

}  // namespace

std::string CollectiveCall::Text() const {
  std::string text = NameOf(function);
  if (function == kBarrier || function == kNone) return text;
  const bool sums = function == kAllReduceSum || function == kReduceScatterSum;
  text += " of " + std::to_string(size) + " " + (sums ? DTypeText(dtype) : "bytes");
  if (function == kBroadcast) text += " from rank " + std::to_string(root);
  return text;
}

struct alignas(64) Meeting::Header {
  std::atomic<uint32_t> state;
  std::atomic<uint32_t> events;  // changes whenever one who waits should look again
  std::atomic<uint32_t> arrived;
  std::atomic<uint32_t> generation;
  std::atomic<uint32_t> disputed;  // the meeting that they disagreed at
};

// Written by its rank only.
struct alignas(64) Meeting::Place {
  std::atomic<uint32_t> meetings;  // that it came to
  std::atomic<uint32_t> left;
  std::atomic<uint32_t> function, dtype, root;
  std::atomic<uint64_t> size;

  void Store(const CollectiveCall& call) {
    function = call.function;
    dtype = call.dtype;
    root = call.root;
    size = call.size;
  }
  CollectiveCall Load() const {
    return {static_cast<CollectiveCall::Function>(function.load()), dtype, root, size};
  }
};
static_assert(std::atomic<uint32_t>::is_always_lock_free);
static_assert(std::atomic<uint64_t>::is_always_lock_free);

uint64_t Meeting::BytesFor(uint32_t rank_count) {
  return sizeof(Header) + rank_count * (sizeof(Place) + kDeskBytes);
}

Meeting::Meeting(void* memory, uint32_t rank_count)
    : header_(static_cast<Header*>(memory)),
      places_(reinterpret_cast<Place*>(header_ + 1)),
      desks_(reinterpret_cast<char*>(places_ + rank_count)),
      rank_count_(rank_count) {}

char* Meeting::Desk(uint32_t rank) const { return desks_ + rank * kDeskBytes; }

parity_status Meeting::Ended() const {
  switch (header_->state.load()) {
    case kOpen:
      return PARITY_OK;
    case kDisagreed:
      return PARITY_INVALID;
    default:
      return PARITY_CANCELLED;
  }
}

parity_status Meeting::Meet(uint32_t rank, const CollectiveCall& call,
                            std::atomic<uint32_t>* waiting) {
  Place& me = places_[rank];
  const uint32_t meeting = me.meetings + 1;
  const uint32_t generation = header_->generation;
  // Every rank first says what it comes for and then looks at the others, so that of two who differ
  // one sees it at least, and does not arrive. One that comes late to a dispute still says it.
  me.Store(call);
  me.meetings = meeting;
  if (const parity_status ended = Ended(); ended != PARITY_OK) return ended;
  if (!Agrees(meeting, call)) return Disagree(meeting);
  if (header_->arrived.fetch_add(1) + 1 == rank_count_) {
    header_->arrived = 0;
    header_->generation.fetch_add(1);
    Wake();
    return PARITY_OK;
  }
  if (waiting != nullptr) waiting->store(1);
  const parity_status status = Wait(meeting, generation);
  if (waiting != nullptr) waiting->store(0);
  return status;
}

parity_status Meeting::Wait(uint32_t meeting, uint32_t generation) {
  for (;;) {
    const uint32_t seen = header_->events;
    if (header_->generation != generation) return PARITY_OK;
    if (const parity_status ended = Ended(); ended != PARITY_OK) return ended;
    if (SomeoneLeft(meeting)) return Disagree(meeting);
    FutexWait(&header_->events, seen);
  }
}

bool Meeting::Agrees(uint32_t meeting, const CollectiveCall& call) const {
  return std::all_of(places_, places_ + rank_count_, [&](const Place& place) {
    return place.meetings != meeting || place.Load() == call;
  });
}

bool Meeting::SomeoneLeft(uint32_t meeting) const {
  return std::any_of(places_, places_ + rank_count_, [&](const Place& place) {
    return place.left != 0 && place.meetings != meeting;
  });
}

parity_status Meeting::Disagree(uint32_t meeting) {
  header_->disputed = meeting;
  uint32_t open = kOpen;
  header_->state.compare_exchange_strong(open, kDisagreed);
  Wake();
  return Ended();
}

void Meeting::Leave(uint32_t rank) {
  places_[rank].left = 1;
  Wake();
}

void Meeting::Cancel() {
  uint32_t open = kOpen;
  header_->state.compare_exchange_strong(open, kCancelled);
  Wake();
}

void Meeting::Renew() {
  header_->arrived = 0;
  for (uint32_t rank = 0; rank < rank_count_; ++rank) {
    places_[rank].meetings = 0;
    places_[rank].left = 0;
  }
  header_->state = kOpen;
}

void Meeting::Wake() {
  header_->events.fetch_add(1);
  syscall(SYS_futex, &header_->events, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

std::optional<Disagreement> Meeting::disagreement() const {
  if (header_->state != kDisagreed) return std::nullopt;
  const std::string kReturned = "returned without it", kElsewhere = "has not come";
  const uint32_t meeting = header_->disputed;
  std::vector<std::string> doings;  // in order of the lowest rank that does so
  std::map<std::string, std::vector<int>> ranks;
  for (uint32_t rank = 0; rank < rank_count_; ++rank) {
    const Place& place = places_[rank];
    std::string doing = kElsewhere;
    if (place.meetings == meeting) {
      doing = "called " + place.Load().Text();
    } else if (place.left != 0) {
      doing = kReturned;
    }
    if (!ranks.contains(doing)) doings.push_back(doing);
    ranks[doing].push_back(static_cast<int>(rank));
  }
  Disagreement result;
  result.words = "the ranks do not agree on a collective";
  std::size_t most = 0;
  for (const std::string& doing : doings) {
    result.words += (most == 0 ? ": " : ", ") + RanksText(ranks[doing]) + " " + doing;
    most = std::max(most, ranks[doing].size());
  }
  ranks.erase(kElsewhere);  // nothing is known against those
  const auto as_many = [&](const auto& group) { return group.second.size() == most; };
  const bool majority = std::count_if(ranks.begin(), ranks.end(), as_many) == 1;
  for (const auto& [doing, who] : ranks) {
    const bool to_blame =
        majority ? who.size() < most : !ranks.contains(kReturned) || doing == kReturned;
    if (to_blame) result.ranks.insert(result.ranks.end(), who.begin(), who.end());
  }
  std::sort(result.ranks.begin(), result.ranks.end());
  return result;
}

}  // namespace parity
