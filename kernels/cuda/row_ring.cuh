// A unit's chunks on their way through shared memory, copied there while those before them are
// worked on. Each warp has a ring of its own: nobody waits for another warp.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_RING_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROW_RING_CUH_

#include <cstdint>

#include "kernels/cuda/row_span.cuh"
#include "kernels/cuda/row_work.h"
#include "kernels/cuda/vector_elements.cuh"
#include "kernels/cuda/warp.cuh"

namespace parity {

__device__ inline void CopyAhead(uint4* to, const uint4* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<std::uint32_t>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
// Both sides of a chunk. A lane copies the vectors that it will work on.
template <typename Format>
struct RowStage {
  static constexpr std::uint32_t kLoads = kRowLoads<Format>;
  static constexpr std::uint32_t kInVector = 128 / Format::kBits;
  uint4 a[kLoads * kWarp], b[kLoads * kWarp];

  // Where in the chunk element `i` of a lane is.
  __device__ static std::uint32_t PlaceOf(std::uint32_t lane, std::uint32_t i) {
    return (i / kInVector * kWarp + lane) * kInVector + i % kInVector;
  }
  __device__ static typename Format::Bits BitsAt(const uint4* side, std::uint32_t place) {
    if constexpr (Format::kBits < 8) {
      return LoadBits<Format>(reinterpret_cast<const unsigned char*>(side), place);
    } else {
      return reinterpret_cast<const typename Format::Bits*>(side)[place];
    }
  }
  __device__ static void Put(uint4* side, std::uint32_t place, typename Format::Bits bits) {
    if constexpr (Format::kBits < 8) {
      StoreBits<Format>(reinterpret_cast<unsigned char*>(side), place, bits);
    } else {
      reinterpret_cast<typename Format::Bits*>(side)[place] = bits;
    }
  }
};

template <typename Format>
class RowRing {
 public:
  using Stage = RowStage<Format>;
  static constexpr std::uint32_t kStages = 12288 / sizeof(Stage);
  struct Shared {
    Stage stages[kStages];
  };

  __device__ RowRing(const RowSpan<Format>& span, Shared& shared) : span_(span), shared_(shared) {
    __syncwarp();
#pragma unroll 1
    for (std::uint32_t slot = 0; slot < kStages; ++slot) Fetch(slot);
  }

  // The next chunk. What other lanes copied may be read after a __syncwarp.
  __device__ Stage& Next() {
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 1) : "memory");
    return shared_.stages[slot_];
  }

  // The first chunks at once, before any of them is handed out: what a lane has copied of it.
  __device__ const Stage& First(std::uint32_t slot) const {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    return shared_.stages[slot];
  }

  // Once all that is needed of that chunk has been read: another one takes its place.
  __device__ void Refill() {
    __syncwarp();
    Fetch(slot_);
    slot_ = slot_ + 1 == kStages ? 0 : slot_ + 1;
  }

 private:
  __device__ void Fetch(std::uint32_t slot) {
    if (begin_ < span_.end) {
      Stage& stage = shared_.stages[slot];
      if (!span_.aligned) {
        LoadNow(stage);
      } else if (begin_ + kRowChunk<Format> <= span_.end) {
        const uint4* a = reinterpret_cast<const uint4*>(span_.a.words) + Vector();
        const uint4* b = reinterpret_cast<const uint4*>(span_.b.words) + Vector();
#pragma unroll
        for (std::uint32_t k = 0; k < Stage::kLoads; ++k) {
          CopyAhead(stage.a + k * kWarp + LaneId(), a + k * kWarp);
          CopyAhead(stage.b + k * kWarp + LaneId(), b + k * kWarp);
        }
      } else {
        CopyLast(stage);
      }
      begin_ += kRowChunk<Format>;
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  }

  // Vectors that are not whole are loaded: a copy of a part is taken for one of all.
  __device__ void CopyLast(Stage& stage) const {
#pragma unroll 1
    for (std::uint32_t k = 0; k < Stage::kLoads; ++k) {
      const std::uint32_t vector = Vector() + k * kWarp, at = k * kWarp + LaneId();
      if (vector < span_.readable) {
        CopyAhead(stage.a + at, reinterpret_cast<const uint4*>(span_.a.words) + vector);
        CopyAhead(stage.b + at, reinterpret_cast<const uint4*>(span_.b.words) + vector);
      } else {
        stage.a[at] = span_.Load(span_.a, vector);
        stage.b[at] = span_.Load(span_.b, vector);
      }
    }
  }

  __device__ void LoadNow(Stage& stage) const {
    uint4 a[Stage::kLoads], b[Stage::kLoads];
#pragma unroll
    for (std::uint32_t k = 0; k < Stage::kLoads; ++k) {
      a[k] = span_.Load(span_.a, Vector() + k * kWarp);
      b[k] = span_.Load(span_.b, Vector() + k * kWarp);
    }
#pragma unroll
    for (std::uint32_t k = 0; k < Stage::kLoads; ++k) {
      stage.a[k * kWarp + LaneId()] = a[k];
      stage.b[k * kWarp + LaneId()] = b[k];
    }
  }

  // The lane's first of the chunk to be fetched.
  __device__ std::uint32_t Vector() const { return begin_ / Stage::kInVector + LaneId(); }

  const RowSpan<Format>& span_;
  Shared& shared_;
  std::uint32_t begin_ = 0, slot_ = 0;  // what is fetched next, what is handed out next
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_RING_CUH_
