#include "gtest_parity/engine/collective.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gtest_parity/engine/float_mode.h"

namespace parity {
namespace {

// 0: sums of it are not offered.
uint64_t WidthOf(uint32_t dtype) {
  switch (dtype) {
    case PARITY_F64:
    case PARITY_I64:
      return 8;
    case PARITY_F32:
    case PARITY_I32:
      return 4;
    default:
      return 0;
  }
}

template <typename T>
void AddTo(char* sum, const char* term, uint64_t elements) {
  auto* into = reinterpret_cast<T*>(sum);
  const auto* from = reinterpret_cast<const T*>(term);
  for (uint64_t i = 0; i < elements; ++i) into[i] += from[i];
}

void Copy(char* to, const char* from, uint64_t bytes) {
  if (bytes != 0) std::memmove(to, from, bytes);
}

}  // namespace

// The functions of parity_collective; their context is the calling rank's Collective.
struct Collective::Calls {
  static Collective& Me(void* context) { return *static_cast<Collective*>(context); }

  static parity_status Barrier(void* context) { return Me(context).Meet({Function::kBarrier}); }

  static parity_status AllReduceSum(void* context, parity_dtype dtype, void* data,
                                    uint64_t elements) {
    return Me(context).AllReduce(
        {Function::kAllReduceSum, static_cast<uint32_t>(dtype), 0, elements},
        static_cast<char*>(data));
  }

  static parity_status ReduceScatterSum(void* context, parity_dtype dtype, const void* sent,
                                        void* received, uint64_t elements) {
    return Me(context).ReduceScatter(
        {Function::kReduceScatterSum, static_cast<uint32_t>(dtype), 0, elements},
        static_cast<const char*>(sent), static_cast<char*>(received));
  }

  static parity_status AllGather(void* context, const void* sent, void* received, uint64_t bytes) {
    return Me(context).AllGather({Function::kAllGather, 0, 0, bytes},
                                 static_cast<const char*>(sent), static_cast<char*>(received));
  }

  static parity_status AllToAll(void* context, const void* sent, void* received, uint64_t bytes) {
    return Me(context).AllToAll({Function::kAllToAll, 0, 0, bytes}, static_cast<const char*>(sent),
                                static_cast<char*>(received));
  }

  static parity_status Broadcast(void* context, uint32_t root, void* data, uint64_t bytes) {
    return Me(context).Broadcast({Function::kBroadcast, 0, root, bytes}, static_cast<char*>(data));
  }
};

Collective::Collective(const Meeting& meeting, uint32_t rank, std::atomic<uint32_t>* waiting)
    : meeting_(meeting), rank_(rank), waiting_(waiting) {
  table_.struct_size = sizeof(table_);
  table_.rank = rank;
  table_.rank_count = meeting.rank_count();
  table_.context = this;
  table_.barrier = Calls::Barrier;
  table_.all_reduce_sum = Calls::AllReduceSum;
  table_.all_gather = Calls::AllGather;
  table_.reduce_scatter_sum = Calls::ReduceScatterSum;
  table_.all_to_all = Calls::AllToAll;
  table_.broadcast = Calls::Broadcast;
}

parity_status Collective::Meet(const CollectiveCall& call) {
  return meeting_.Meet(rank_, call, waiting_);
}

uint64_t Collective::PieceOf(uint64_t unit, uint64_t blocks) const {
  return std::max<uint64_t>(1, Meeting::kDeskBytes / (unit * blocks));
}

// Bytes [first, first + bytes) of every rank's block of `sent`, side by side.
void Collective::LayBlocks(const char* sent, uint64_t block_bytes, uint64_t first, uint64_t bytes) {
  for (uint32_t to = 0; to < meeting_.rank_count(); ++to) {
    Copy(meeting_.Desk(rank_) + to * bytes, sent + to * block_bytes + first, bytes);
  }
}

void Collective::SumDesks(uint32_t dtype, uint64_t offset, uint64_t elements, char* out) const {
  const InDefaultFloatMode mode;
  Copy(out, meeting_.Desk(0) + offset, elements * WidthOf(dtype));
  for (uint32_t rank = 1; rank < meeting_.rank_count(); ++rank) {
    const char* term = meeting_.Desk(rank) + offset;
    if (dtype == PARITY_F64) AddTo<double>(out, term, elements);
    if (dtype == PARITY_F32) AddTo<float>(out, term, elements);
    if (dtype == PARITY_I32) AddTo<uint32_t>(out, term, elements);
    if (dtype == PARITY_I64) AddTo<uint64_t>(out, term, elements);
  }
}

// What follows works in pieces that fit on a desk: lay it down, meet, read the others', and meet
// again before the desks are used anew. A collective of nothing is a meeting still.
parity_status Collective::AllReduce(const CollectiveCall& call, char* data) {
  const uint64_t width = WidthOf(call.dtype);
  const uint64_t most = PieceOf(std::max<uint64_t>(1, width), 1);
  uint64_t first = 0;
  do {
    const uint64_t count = width == 0 ? 0 : std::min(most, call.size - first);
    Copy(meeting_.Desk(rank_), data + first * width, count * width);
    if (const auto status = Meet(call); status != PARITY_OK) return status;
    if (width == 0) return PARITY_INVALID;
    SumDesks(call.dtype, 0, count, data + first * width);
    if (const auto status = Meet(call); status != PARITY_OK) return status;
    first += count;
  } while (first < call.size);
  return PARITY_OK;
}

parity_status Collective::ReduceScatter(const CollectiveCall& call, const char* sent,
                                        char* received) {
  const uint64_t width = WidthOf(call.dtype);
  const uint64_t most = PieceOf(std::max<uint64_t>(1, width), meeting_.rank_count());
  uint64_t first = 0;
  do {
    const uint64_t count = width == 0 ? 0 : std::min(most, call.size - first);
    LayBlocks(sent, call.size * width, first * width, count * width);
    if (const auto status = Meet(call); status != PARITY_OK) return status;
    if (width == 0) return PARITY_INVALID;
    SumDesks(call.dtype, rank_ * count * width, count, received + first * width);
    if (const auto status = Meet(call); status != PARITY_OK) return status;
    first += count;
  } while (first < call.size);
  return PARITY_OK;
}

parity_status Collective::AllGather(const CollectiveCall& call, const char* sent, char* received) {
  uint64_t first = 0;
  do {
    const uint64_t count = std::min(PieceOf(1, 1), call.size - first);
    Copy(meeting_.Desk(rank_), sent + first, count);
    if (const auto status = Meet(call); status != PARITY_OK) return status;
    for (uint32_t from = 0; from < meeting_.rank_count(); ++from) {
      Copy(received + from * call.size + first, meeting_.Desk(from), count);
    }
    if (const auto status = Meet(call); status != PARITY_OK) return status;
    first += count;
  } while (first < call.size);
  return PARITY_OK;
}

parity_status Collective::AllToAll(const CollectiveCall& call, const char* sent, char* received) {
  uint64_t first = 0;
  do {
    const uint64_t count = std::min(PieceOf(1, meeting_.rank_count()), call.size - first);
    LayBlocks(sent, call.size, first, count);
    if (const auto status = Meet(call); status != PARITY_OK) return status;
    for (uint32_t from = 0; from < meeting_.rank_count(); ++from) {
      Copy(received + from * call.size + first, meeting_.Desk(from) + rank_ * count, count);
    }
    if (const auto status = Meet(call); status != PARITY_OK) return status;
    first += count;
  } while (first < call.size);
  return PARITY_OK;
}

parity_status Collective::Broadcast(const CollectiveCall& call, char* data) {
  uint64_t first = 0;
  do {
    const uint64_t count = std::min(PieceOf(1, 1), call.size - first);
    if (rank_ == call.root) Copy(meeting_.Desk(rank_), data + first, count);
    if (const auto status = Meet(call); status != PARITY_OK) return status;
    if (call.root >= meeting_.rank_count()) return PARITY_INVALID;
    if (rank_ != call.root) Copy(data + first, meeting_.Desk(call.root), count);
    if (const auto status = Meet(call); status != PARITY_OK) return status;
    first += count;
  } while (first < call.size);
  return PARITY_OK;
}

ThreadCollective::ThreadCollective(uint32_t rank_count, std::vector<std::atomic<uint32_t>*> waiting)
    : memory_(Meeting::BytesFor(rank_count) / sizeof(Block)), meeting_(memory_.data(), rank_count) {
  for (uint32_t rank = 0; rank < rank_count; ++rank) {
    ends_.push_back(
        std::make_unique<Collective>(meeting_, rank, waiting.empty() ? nullptr : waiting[rank]));
  }
}

}  // namespace parity
