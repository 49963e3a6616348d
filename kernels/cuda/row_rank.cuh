// Ranks that no list of first places holds.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_RANK_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROW_RANK_CUH_

#include <cstdint>

#include "kernels/cuda/row_span.cuh"
#include "kernels/cuda/rows_finish.cuh"
#include "kernels/cuda/rows_kernel.cuh"
#include "kernels/cuda/vector_elements.cuh"

namespace parity {

inline constexpr std::uint32_t kRankWarps = 4;  // of a block

// Whether a column comes before the one that is sought. Logits are compared where there is no NaN
// in the way, which is cheaper than codes.
template <typename Format>
class BeforeSought {
 public:
  using Place = PlaceCode<Format>;
  using Code = typename Place::Code;

  __device__ explicit BeforeSought(Code sought)
      : sought_(sought), logit_(Place::ValueOf(sought)), column_(Place::ColumnOf(sought)) {}

  __device__ bool operator()(typename Format::Bits bits, std::uint32_t column) const {
    if (logit_ != logit_) return Place::Of(bits, column) > sought_;
    const Real<Format> logit = Format::Decode(bits);
    return logit > logit_ || (logit == logit_ && column < column_);
  }

 private:
  Code sought_;
  Real<Format> logit_;
  std::uint32_t column_;
};

template <typename Format>
class BeforeCounter {
 public:
  __device__ BeforeCounter(const RowSpan<Format>& span, const BeforeSought<Format>& is_before)
      : span_(span), is_before_(is_before) {}

  // Of a lane.
  __device__ std::uint32_t Run() {
    for (std::uint32_t first = 0; first * kElements < span_.end; first += kAtOnce * kWarp) {
      const bool whole = span_.aligned && first * kElements >= span_.begin &&
                         first + kAtOnce * kWarp <= span_.readable;
      whole ? AddWhole(first + LaneId()) : AddSome(first + LaneId());
    }
    return before_;
  }

 private:
  static constexpr std::uint32_t kElements = 128 / Format::kBits, kAtOnce = 8;

  // Loads without a branch between them are all under way at once.
  __device__ void AddWhole(std::uint32_t vector) {
    const uint4* from = reinterpret_cast<const uint4*>(span_.b.words) + vector;
    uint4 bits[kAtOnce];
#pragma unroll
    for (std::uint32_t k = 0; k < kAtOnce; ++k) bits[k] = LoadStreaming(from + k * kWarp);
#pragma unroll
    for (std::uint32_t k = 0; k < kAtOnce; ++k) {
#pragma unroll
      for (std::uint32_t i = 0; i < kElements; ++i) {
        const std::uint32_t place = (vector + k * kWarp) * kElements + i;
        before_ += is_before_(ElementOf<Format>(bits[k], i), span_.ColumnOf(place));
      }
    }
  }
  __device__ void AddSome(std::uint32_t vector) {
#pragma unroll 1
    for (std::uint32_t k = 0; k < kAtOnce; ++k, vector += kWarp) {
      const uint4 bits = span_.Load(span_.b, vector);
#pragma unroll
      for (std::uint32_t i = 0; i < kElements; ++i) {
        const std::uint32_t place = vector * kElements + i;
        before_ +=
            span_.Holds(place) && is_before_(ElementOf<Format>(bits, i), span_.ColumnOf(place));
      }
    }
  }

  const RowSpan<Format>& span_;
  const BeforeSought<Format>& is_before_;
  std::uint32_t before_ = 0;
};

// How many of b's columns come before.
template <typename Format>
__global__ void __launch_bounds__(kRankWarps* kWarp)
    RankKernel(const __grid_constant__ RowBatch<Format> batch,
               const __grid_constant__ RowFinish<Format> finish) {
  const std::uint32_t unit = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  if (unit >= batch.units) return;
  const RowWork& work = batch.works[batch.work_of_unit[unit]];
  const std::uint32_t row = work.first_row + (unit - work.first_unit) / work.segments;
  const auto sought = finish.sought[row];
  if (sought == 0) return;
  const RowSpan<Format> span(work, unit);
  const BeforeSought<Format> is_before(sought);
  const std::uint32_t before = SumOfLanes(BeforeCounter<Format>(span, is_before).Run());
  if (LaneId() == 0) atomicAdd(&finish.results[row].rank, before);
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_RANK_CUH_
