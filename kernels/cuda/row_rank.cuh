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
__device__ inline std::uint32_t CountBefore(const RowSpan<Format>& span,
                                            const BeforeSought<Format>& is_before) {
  constexpr std::uint32_t kElements = 128 / Format::kBits, kAtOnce = 4;
  std::uint32_t before = 0;
  for (std::uint32_t vector = LaneId(); vector * kElements < span.end; vector += kAtOnce * kWarp) {
    uint4 bits[kAtOnce];
#pragma unroll
    for (std::uint32_t k = 0; k < kAtOnce; ++k) bits[k] = span.Load(span.b, vector + k * kWarp);
#pragma unroll
    for (std::uint32_t k = 0; k < kAtOnce; ++k) {
#pragma unroll
      for (std::uint32_t i = 0; i < kElements; ++i) {
        const std::uint32_t place = (vector + k * kWarp) * kElements + i;
        before +=
            span.Holds(place) && is_before(ElementOf<Format>(bits[k], i), span.ColumnOf(place));
      }
    }
  }
  return before;
}

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
  const std::uint32_t before = SumOfLanes(CountBefore(span, BeforeSought<Format>(sought)));
  if (LaneId() == 0) atomicAdd(&finish.results[row].rank, before);
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_RANK_CUH_
