// Segments of rows, a warp each.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROWS_KERNEL_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROWS_KERNEL_CUH_

#include <cmath>
#include <cstdint>

#include "kernels/cuda/row_lane.cuh"
#include "kernels/cuda/row_padding.cuh"
#include "kernels/cuda/row_ring.cuh"
#include "kernels/cuda/row_span.cuh"
#include "kernels/cuda/row_top.cuh"
#include "kernels/cuda/row_work.h"

namespace parity {

// Of a block, at most, and of a multiprocessor: as many as the registers allow without spills.
template <typename Format>
inline constexpr std::uint32_t kRowWarps = Format::kBits == 64 || Format::kBits == 4 ? 8 : 16;

template <typename Format>
struct RowBatch {
  const RowWork* works = nullptr;
  const std::uint32_t* work_of_unit = nullptr;
  std::uint32_t units = 0;
  RowSegment<Format>* segments = nullptr;  // by unit
};

// What a warp has in shared memory.
template <typename Format>
struct RowShared {
  using Code = typename PlaceCode<Format>::Code;
  typename RowRing<Format>::Shared ring;
  RowCounts<Format> counts[kWarp];
  Code best_a[kWarp], best_b[kWarp];  // of each lane, among the first chunks
};

template <typename Format>
class SegmentComparer {
 public:
  using T = Real<Format>;
  using Code = typename PlaceCode<Format>::Code;
  using Stage = RowStage<Format>;
  using Part = RowPart<Format>;
  static constexpr std::uint32_t kElements = kRowLaneElements<Format>;

  __device__ SegmentComparer(const RowSpan<Format>& span, RowShared<Format>& shared)
      : span_(span), shared_(shared), lane_(shared.counts[LaneId()]) {}

  __device__ void Run() {
    RowRing<Format> ring(span_, shared_.ring);
    BeginTops(ring);
#pragma unroll 1
    for (begin_ = 0; begin_ < span_.end; begin_ += kRowChunk<Format>) AddChunk(ring);
  }

  __device__ void Write(RowSegment<Format>& out) const {
    if (LaneId() < kTopColumns) {
      out.top_a[LaneId()] = top_a_.Mine();
      out.top_b[LaneId()] = top_b_.Mine();
    }
    if (LaneId() == 0) out.differs = differs_;
    lane_.Write(out);
  }

 private:
  __device__ void AddChunk(RowRing<Format>& ring) {
    Stage& stage = ring.Next();
    const bool whole = begin_ >= span_.begin && begin_ + kRowChunk<Format> <= span_.end;
    if (!whole) Pad(stage);
    const Part part(stage);
    if (!differs_) differs_ = __any_sync(kAllLanes, part.Difference() != 0);
    T max_a = -HUGE_VALF, max_b = -HUGE_VALF;
    bool apart = false;  // two logits that are not near, or no numbers
#pragma unroll
    for (std::uint32_t i = 0; i < kElements; ++i) {
      const T x = part.A(i), y = part.B(i);
      max_a = Larger(max_a, x);
      max_b = Larger(max_b, y);
      apart |= !(Magnitude(y - x) <= T(kNearLogits));
    }
    const bool near = !__any_sync(kAllLanes, apart);
    if ((!whole && !PaddingIsLight(max_a, max_b)) ||
        (!near && !__all_sync(kAllLanes, part.AllNumbers()))) {
      AddCarefully(stage);
      ring.Refill();
      return;
    }
    Offer(top_a_, stage.a, max_a, shared_.best_a);
    Offer(top_b_, stage.b, max_b, shared_.best_b);
    ring.Refill();
    lane_.Reach(max_a, max_b);
    lane_.Add(part, near);
  }

  // In few columns what f32 rounds would show.
  __device__ bool PaddingIsLight(T max_a, T max_b) const {
    constexpr std::uint32_t kFew = 64;
    return span_.end - span_.begin >= kFew && RowPadding<Format>::IsLight(max_a, max_b);
  }

  // What is no column.
  __device__ void Pad(Stage& stage) const {
    const uint4 padding = RowPadding<Format>::Vector();
#pragma unroll 1
    for (std::uint32_t k = 0; k < Stage::kLoads; ++k) {
      const std::uint32_t vector = k * kWarp + LaneId(), first = vector * Stage::kInVector;
      const std::uint32_t from = begin_ + first, to = from + Stage::kInVector;
      if (from >= span_.begin && to <= span_.end) continue;
      if (to <= span_.begin || from >= span_.end) {
        stage.a[vector] = stage.b[vector] = padding;
        continue;
      }
      for (std::uint32_t place = first; place < first + Stage::kInVector; ++place) {
        if (span_.Holds(begin_ + place)) continue;
        Stage::Put(stage.a, place, RowPadding<Format>::kBits);
        Stage::Put(stage.b, place, RowPadding<Format>::kBits);
      }
    }
  }

  // A chunk in which anything may be: NaN, infinities.
  __device__ void AddCarefully(const Stage& stage) {
    T max_a = -HUGE_VALF, max_b = -HUGE_VALF;
    const std::uint32_t used = ElementsUsed();
#pragma unroll 1
    for (std::uint32_t i = 0; i < used; ++i) {
      const std::uint32_t place = Stage::PlaceOf(LaneId(), i);
      if (!span_.Holds(begin_ + place)) continue;
      const T x = Format::Decode(Stage::BitsAt(stage.a, place));
      const T y = Format::Decode(Stage::BitsAt(stage.b, place));
      if (isfinite(x)) max_a = Larger(max_a, x);
      if (isfinite(y)) max_b = Larger(max_b, y);
    }
    lane_.Reach(max_a, max_b);
#pragma unroll 1
    for (std::uint32_t i = 0; i < used; ++i) {
      const std::uint32_t place = Stage::PlaceOf(LaneId(), i);
      if (!span_.Holds(begin_ + place)) continue;
      lane_.AddColumn(Format::Decode(Stage::BitsAt(stage.a, place)),
                      Format::Decode(Stage::BitsAt(stage.b, place)));
    }
    OfferAll(top_a_, stage.a, shared_.best_a);
    OfferAll(top_b_, stage.b, shared_.best_b);
  }

  // 0 where there is no column.
  __device__ Code CodeAt(const uint4* side, std::uint32_t place) const {
    if (!span_.Holds(begin_ + place)) return 0;
    return PlaceCode<Format>::Of(Stage::BitsAt(side, place), span_.ColumnOf(begin_ + place));
  }

  // How many of a lane's elements, in order, may be columns.
  __device__ std::uint32_t ElementsUsed() const {
    const std::uint32_t left = span_.end - begin_, vectors = kWarp * Stage::kInVector;
    return min((left + vectors - 1) / vectors * Stage::kInVector, kElements);
  }

  // The lanes' best of the chunks that come first are a good list to start from: few columns come
  // before its last place.
  __device__ void BeginTops(const RowRing<Format>& ring) {
    Code best_a = 0, best_b = 0;
#pragma unroll 1
    for (std::uint32_t slot = 0; slot < RowRing<Format>::kStages; ++slot) {
      begin_ = slot * kRowChunk<Format>;
      if (begin_ >= span_.end) break;
      const Stage& stage = ring.First(slot);
      const std::uint32_t used = ElementsUsed();
#pragma unroll 1
      for (std::uint32_t i = 0; i < used; ++i) {
        const std::uint32_t place = Stage::PlaceOf(LaneId(), i);
        const Code a = CodeAt(stage.a, place), b = CodeAt(stage.b, place);
        if (a > best_a) best_a = a;
        if (b > best_b) best_b = b;
      }
    }
    shared_.best_a[LaneId()] = best_a;
    shared_.best_b[LaneId()] = best_b;
    top_a_.Begin(best_a);
    top_b_.Begin(best_b);
    __syncwarp();
  }

  // All but the code that the lane has offered already.
  __device__ void OfferAll(RowTop<Format>& top, const uint4* side, const Code* offered) const {
    const std::uint32_t used = ElementsUsed();
    const Code known = offered[LaneId()];
#pragma unroll 1
    for (std::uint32_t i = 0; i < used; ++i) {
      const Code code = CodeAt(side, Stage::PlaceOf(LaneId(), i));
      top.Offer(code == known ? 0 : code);
    }
  }

  // Numbers, of which `largest` is the lane's largest; each lane has offered one code already. As
  // many lanes' elements are looked at together as there are lanes to do so.
  __device__ void Offer(RowTop<Format>& top, const uint4* side, T largest,
                        const Code* offered) const {
    // The list began with all of the first chunks, of which some are yet to come.
    const bool later = begin_ >= RowRing<Format>::kStages * kRowChunk<Format>;
    std::uint32_t lanes = __ballot_sync(kAllLanes, top.MayTake(largest, later));
    if (lanes == 0) return;
    __syncwarp();
    while (lanes != 0) {
      std::uint32_t from = kWarp;  // none
#pragma unroll
      for (std::uint32_t i = 0; i < kWarp / kElements; ++i) {
        if (LaneId() / kElements == i && lanes != 0) from = __ffs(static_cast<int>(lanes)) - 1;
        lanes &= lanes - 1;
      }
      Code code = 0;
      if (from < kWarp) {
        code = CodeAt(side, Stage::PlaceOf(from, LaneId() % kElements));
        if (code == offered[from]) code = 0;
      }
      top.Offer(code);
    }
  }

  const RowSpan<Format>& span_;
  RowShared<Format>& shared_;
  RowLane<Format> lane_;
  RowTop<Format> top_a_, top_b_;
  std::uint32_t begin_ = 0;  // of the chunk
  bool differs_ = false;
};

// Warps of neighbouring blocks take neighbouring units, so that every multiprocessor gets as many.
template <typename Format>
__global__ void __launch_bounds__(kRowWarps<Format>* kWarp, 1)
    CompareRowsKernel(const __grid_constant__ RowBatch<Format> batch) {
  extern __shared__ uint4 row_shared[];
  const std::uint32_t warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  auto& shared = reinterpret_cast<RowShared<Format>*>(row_shared)[warp];
#pragma unroll 1
  for (std::uint32_t unit = warp * gridDim.x + blockIdx.x; unit < batch.units;
       unit += warps * gridDim.x) {
    const RowSpan<Format> span(batch.works[batch.work_of_unit[unit]], unit);
    SegmentComparer<Format> comparer(span, shared);
    comparer.Run();
    comparer.Write(batch.segments[unit]);
  }
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROWS_KERNEL_CUH_
