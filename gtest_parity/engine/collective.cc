#include "gtest_parity/engine/collective.h"

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
    table.barrier = [](void* context) {
      auto* me = static_cast<Member*>(context);
      return me->all->Barrier(me->rank);
    };
    table.all_reduce_sum = [](void* context, parity_dtype dtype, void* data, uint64_t elements) {
      auto* me = static_cast<Member*>(context);
      std::vector<char> sum;
      parity_status result = PARITY_OK;
      const parity_status status = me->all->Exchange(me->rank, data, [&](const auto& sent) {
        if (!Sum(dtype, sent, 0, elements, sum)) result = PARITY_INVALID;
      });
      if (status != PARITY_OK) return status;
      if (result == PARITY_OK) std::memcpy(data, sum.data(), sum.size());
      return result;
    };
    table.all_gather = [](void* context, const void* sent_bytes, void* received, uint64_t bytes) {
      auto* me = static_cast<Member*>(context);
      return me->all->Exchange(me->rank, sent_bytes, [&](const auto& sent) {
        for (size_t r = 0; r < sent.size(); ++r) {
          std::memcpy(static_cast<char*>(received) + r * bytes, sent[r], bytes);
        }
      });
    };
    table.reduce_scatter_sum = [](void* context, parity_dtype dtype, const void* sent_data,
                                  void* received, uint64_t elements) {
      auto* me = static_cast<Member*>(context);
      std::vector<char> sum;
      parity_status result = PARITY_OK;
      const parity_status status = me->all->Exchange(me->rank, sent_data, [&](const auto& sent) {
        if (!Sum(dtype, sent, me->rank * elements, elements, sum)) result = PARITY_INVALID;
      });
      if (status != PARITY_OK) return status;
      if (result == PARITY_OK) std::memcpy(received, sum.data(), sum.size());
      return result;
    };
    table.all_to_all = [](void* context, const void* sent_bytes, void* received, uint64_t bytes) {
      auto* me = static_cast<Member*>(context);
      return me->all->Exchange(me->rank, sent_bytes, [&](const auto& sent) {
        for (size_t r = 0; r < sent.size(); ++r) {
          std::memcpy(static_cast<char*>(received) + r * bytes,
                      static_cast<const char*>(sent[r]) + me->rank * bytes, bytes);
        }
      });
    };
    table.broadcast = [](void* context, uint32_t root, void* data, uint64_t bytes) {
      auto* me = static_cast<Member*>(context);
      if (root >= me->all->rank_count_) return PARITY_INVALID;
      return me->all->Exchange(me->rank, data, [&](const auto& sent) {
        if (me->rank != root) std::memcpy(data, sent[root], bytes);
      });
    };
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
