#include "gtest_parity/engine/collective.h"

#include <algorithm>
#include <cstring>

namespace parity {
namespace {

template <typename T>
void SumInRankOrder(const std::vector<const void*>& sent, uint64_t first, uint64_t elements,
                    std::vector<char>& out) {
  out.resize(elements * sizeof(T));
  auto* sum = reinterpret_cast<T*>(out.data());
  for (uint64_t i = 0; i < elements; ++i) {
    T value = static_cast<const T*>(sent[0])[first + i];
    for (size_t rank = 1; rank < sent.size(); ++rank) {
      value += static_cast<const T*>(sent[rank])[first + i];
    }
    sum[i] = value;
  }
}

bool Sum(parity_dtype dtype, const std::vector<const void*>& sent, uint64_t first,
         uint64_t elements, std::vector<char>& out) {
  switch (dtype) {
    case PARITY_F64:
      SumInRankOrder<double>(sent, first, elements, out);
      return true;
    case PARITY_F32:
      SumInRankOrder<float>(sent, first, elements, out);
      return true;
    case PARITY_I32:
      SumInRankOrder<int32_t>(sent, first, elements, out);
      return true;
    case PARITY_I64:
      SumInRankOrder<int64_t>(sent, first, elements, out);
      return true;
    default:
      return false;
  }
}

}  // namespace

// The functions of parity_collective; their context is the calling rank's Member.
struct ThreadCollective::Calls {
  static Member& Me(void* context) { return *static_cast<Member*>(context); }

  static parity_status Barrier(void* context) { return Me(context).all->Barrier(Me(context).rank); }

  static parity_status AllReduceSum(void* context, parity_dtype dtype, void* data,
                                    uint64_t elements) {
    return SumInto(context, dtype, data, data, 0, elements);
  }

  static parity_status ReduceScatterSum(void* context, parity_dtype dtype, const void* sent,
                                        void* received, uint64_t elements) {
    return SumInto(context, dtype, sent, received, Me(context).rank * elements, elements);
  }

  static parity_status AllGather(void* context, const void* sent, void* received, uint64_t bytes) {
    return Me(context).all->Exchange(Me(context).rank, sent, [&](const auto& all_sent) {
      for (size_t rank = 0; rank < all_sent.size(); ++rank) {
        std::memcpy(static_cast<char*>(received) + rank * bytes, all_sent[rank], bytes);
      }
    });
  }

  static parity_status AllToAll(void* context, const void* sent, void* received, uint64_t bytes) {
    const uint64_t mine = Me(context).rank * bytes;
    return Me(context).all->Exchange(Me(context).rank, sent, [&](const auto& all_sent) {
      for (size_t rank = 0; rank < all_sent.size(); ++rank) {
        std::memcpy(static_cast<char*>(received) + rank * bytes,
                    static_cast<const char*>(all_sent[rank]) + mine, bytes);
      }
    });
  }

  static parity_status Broadcast(void* context, uint32_t root, void* data, uint64_t bytes) {
    Member& me = Me(context);
    if (root >= me.all->rank_count_) return PARITY_INVALID;
    return me.all->Exchange(me.rank, data, [&](const auto& all_sent) {
      if (me.rank != root) std::memcpy(data, all_sent[root], bytes);
    });
  }

 private:
  // Everyone has read `sent` before anyone writes `received`, which may be the same memory.
  static parity_status SumInto(void* context, parity_dtype dtype, const void* sent, void* received,
                               uint64_t first, uint64_t elements) {
    std::vector<char> sum;
    bool known = true;
    const parity_status status = Me(context).all->Exchange(
        Me(context).rank, sent,
        [&](const auto& all_sent) { known = Sum(dtype, all_sent, first, elements, sum); });
    if (status != PARITY_OK) return status;
    if (!known) return PARITY_INVALID;
    if (!sum.empty()) std::memcpy(received, sum.data(), sum.size());
    return PARITY_OK;
  }
};

ThreadCollective::ThreadCollective(uint32_t rank_count, std::vector<std::atomic<uint32_t>*> waiting)
    : rank_count_(rank_count),
      waiting_(std::move(waiting)),
      members_(rank_count),
      tables_(rank_count),
      sent_(rank_count) {
  for (uint32_t rank = 0; rank < rank_count; ++rank) {
    members_[rank] = {this, rank};
    parity_collective& table = tables_[rank];
    table = {};
    table.struct_size = sizeof(table);
    table.rank = rank;
    table.rank_count = rank_count;
    table.context = &members_[rank];
    table.barrier = Calls::Barrier;
    table.all_reduce_sum = Calls::AllReduceSum;
    table.all_gather = Calls::AllGather;
    table.reduce_scatter_sum = Calls::ReduceScatterSum;
    table.all_to_all = Calls::AllToAll;
    table.broadcast = Calls::Broadcast;
  }
}

parity_status ThreadCollective::Barrier(uint32_t rank) {
  std::unique_lock lock(mutex_);
  if (cancelled_) return PARITY_CANCELLED;
  const uint64_t generation = generation_;
  if (++arrived_ == rank_count_) {
    arrived_ = 0;
    ++generation_;
    all_here_.notify_all();
    return PARITY_OK;
  }
  if (!waiting_.empty()) waiting_[rank]->store(1);
  all_here_.wait(lock, [&] { return cancelled_ || generation_ != generation; });
  if (!waiting_.empty()) waiting_[rank]->store(0);
  return generation_ != generation ? PARITY_OK : PARITY_CANCELLED;
}

template <typename Combine>
parity_status ThreadCollective::Exchange(uint32_t rank, const void* sent, Combine combine) {
  sent_[rank] = sent;
  if (const parity_status status = Barrier(rank); status != PARITY_OK) return status;
  combine(sent_);
  return Barrier(rank);
}

void ThreadCollective::Cancel() {
  std::lock_guard lock(mutex_);
  cancelled_ = true;
  all_here_.notify_all();
}

void ThreadCollective::Renew() {
  std::lock_guard lock(mutex_);
  cancelled_ = false;
  arrived_ = 0;
}

}  // namespace parity
