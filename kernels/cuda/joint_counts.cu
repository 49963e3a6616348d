#include "kernels/cuda/joint_counts.h"

#include "kernels/cuda/piece_sums.cuh"
#include "kernels/cuda/unaligned.cuh"
#include "kernels/cuda/vector_elements.cuh"
#include "kernels/cuda/warp.cuh"

namespace parity {
namespace {

constexpr std::uint32_t kPairs = 128 * 256;
constexpr std::uint32_t kThreads = 1024;
constexpr std::uint32_t kLoads = 2;
// What a block takes at a time; where the worst pair is gets found again within it.
constexpr std::uint32_t kTileVectors = kThreads * kLoads;
constexpr std::uint32_t kTileElements8 = 16 * kTileVectors;

template <typename Format>
inline constexpr bool kFoldsSign = Format::kIsFloat;
template <typename Format>
inline constexpr std::uint32_t kPasses = kFoldsSign<Format> ? 1 : 2;

struct JointTotals {
  unsigned long long counts[2 * kPairs];  // by reference, then candidate
  unsigned long long first_tile;          // ~ of the first that differs; 0 for none
  unsigned long long worst_tile;          // its distance above the 32 bits of ~ its index
  unsigned long long place;               // ~ of the element sought, where tiles do not tell
};

struct JointBatch {
  BitStream a, b;
  std::uint64_t count;
  JointTotals* totals;
};

template <typename Format>
__device__ std::uint32_t PairOf(std::uint32_t x, std::uint32_t y) {
  const std::uint32_t sign = kFoldsSign<Format> ? x & 0x80u : 0;
  return (x ^ sign) << 8 | (y ^ sign);
}

// The packed pairs' counters, without carry between them, and their largest distance so far, in
// halves. Distances mean nothing where there is a NaN.
template <typename Format>
class WordCounter {
 public:
  __device__ WordCounter(std::uint32_t* counters, std::uint32_t pass)
      : base_(static_cast<std::uint32_t>(__cvta_generic_to_shared(counters))), pass_(pass) {}

  __device__ void Add(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t sign = x & 0x80808080u;
    const std::uint32_t a = x ^ sign, b = kFoldsSign<Format> ? y ^ sign : y;
    const std::uint32_t upper = pass_ == 0 ? sign : ~sign;  // what the other pass counts
    // Byte i of b, byte i of a, and twice the sign of a, which is 0.
    CountPair<0xcc40, 0x80u>(a, b, upper);
    CountPair<0xdd51, 0x8000u>(a, b, upper);
    CountPair<0xee62, 0x800000u>(a, b, upper);
    CountPair<0xff73, 0x80000000u>(a, b, upper);
    if constexpr (kFoldsSign<Format>) {
      AddDistances(a, b);
    } else if (pass_ == 0) {
      constexpr bool kSigned = typename Format::Value(-1) < 0;
      const std::uint32_t flip = kSigned ? 0x80808080u : 0;
      Offer(__vabsdiffu4(x ^ flip, y ^ flip));
    }
  }
  __device__ std::uint32_t Largest() const { return max(largest_ & 0xffffu, largest_ >> 16); }

 private:
  template <std::uint32_t kSelector, std::uint32_t kUpper>
  __device__ void CountPair(std::uint32_t a, std::uint32_t b, std::uint32_t upper) const {
    if (!kFoldsSign<Format> && (upper & kUpper) != 0) return;
    std::uint32_t pair;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(pair) : "r"(b), "r"(a), "n"(kSelector));
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(base_ + 4 * pair) : "memory");
  }

  // Keys in order, 1 too far apart where b is negative: there -0 comes before +0.
  __device__ void AddDistances(std::uint32_t a, std::uint32_t b) {
    std::uint32_t negative;
    asm("prmt.b32 %0, %1, 0, 0xba98;" : "=r"(negative) : "r"(b));
    const std::uint32_t key_a = a | 0x80808080u, key_b = b ^ (negative | 0x80808080u);
    Offer(__vabsdiffu4(key_a, key_b) - (negative & 0x01010101u));
  }
  __device__ void Offer(std::uint32_t distances) {
    largest_ = __vmaxu2(largest_, distances & 0x00ff00ffu);
    largest_ = __vmaxu2(largest_, (distances >> 8) & 0x00ff00ffu);
  }

  std::uint32_t base_, pass_;
  std::uint32_t largest_ = 0;
};

template <typename Format>
__global__ void __launch_bounds__(kThreads, 1)
    CountKernel(const __grid_constant__ JointBatch batch, std::uint32_t pass) {
  extern __shared__ std::uint32_t counters[];
  for (std::uint32_t i = threadIdx.x; i < kPairs; i += kThreads) counters[i] = 0;
  __syncthreads();
  const VectorReader a(batch.a, 8 * batch.count), b(batch.b, 8 * batch.count);
  const std::uint64_t whole = batch.count / 16, tiles = (whole + kTileVectors - 1) / kTileVectors;
  const std::uint64_t readable = a.readable < b.readable ? a.readable : b.readable;
  const bool aligned = batch.a.Aligned() && batch.b.Aligned();
  unsigned long long first = 0, worst = 0;
#pragma unroll 1
  for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const std::uint64_t vector = tile * kTileVectors + threadIdx.x;
    uint4 x[kLoads], y[kLoads];
    bool there[kLoads];
#pragma unroll
    for (std::uint32_t k = 0; k < kLoads; ++k) there[k] = vector + k * kThreads < whole;
    if (aligned && (tile + 1) * kTileVectors <= readable) {
      const uint4* from_a = reinterpret_cast<const uint4*>(batch.a.words) + vector;
      const uint4* from_b = reinterpret_cast<const uint4*>(batch.b.words) + vector;
#pragma unroll
      for (std::uint32_t k = 0; k < kLoads; ++k) {
        x[k] = LoadStreaming(from_a + k * kThreads);
        y[k] = LoadStreaming(from_b + k * kThreads);
      }
    } else {
#pragma unroll
      for (std::uint32_t k = 0; k < kLoads; ++k) {
        x[k] = a.Load(vector + k * kThreads);
        y[k] = b.Load(vector + k * kThreads);
      }
    }
    WordCounter<Format> counter(counters, pass);
    std::uint32_t differ = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < kLoads; ++k) {
      if (!there[k]) continue;
      differ |= AnyDifference(x[k], y[k]);
      counter.Add(x[k].x, y[k].x);
      counter.Add(x[k].y, y[k].y);
      counter.Add(x[k].z, y[k].z);
      counter.Add(x[k].w, y[k].w);
    }
    if (differ == 0) continue;
    if (first == 0) first = ~static_cast<unsigned long long>(tile);
    if (counter.Largest() > worst >> 32) {
      worst = std::uint64_t{counter.Largest()} << 32 | ~static_cast<std::uint32_t>(tile);
    }
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < kPairs; i += kThreads) {
    if (counters[i] != 0) {
      atomicAdd(&batch.totals->counts[pass * kPairs + i],
                static_cast<unsigned long long>(counters[i]));
    }
  }
  first = MaxOfLanes(first);
  worst = MaxOfLanes(worst);
  if (LaneId() == 0 && first != 0) atomicMax(&batch.totals->first_tile, first);
  if (LaneId() == 0 && worst != 0) atomicMax(&batch.totals->worst_tile, worst);
}

__device__ std::uint32_t ByteAt(const BitStream& stream, std::uint64_t index) {
  return stream.Bytes()[index];
}

// What is left beside whole vectors: up to 15 elements, in tile `tiles`.
template <typename Format>
__global__ void RestKernel(const __grid_constant__ JointBatch batch) {
  const std::uint64_t index = batch.count / 16 * 16 + threadIdx.x;
  if (index >= batch.count) return;
  const std::uint32_t x = ByteAt(batch.a, index), y = ByteAt(batch.b, index);
  atomicAdd(&batch.totals->counts[PairOf<Format>(x, y)], 1ull);
  if (x == y) return;
  const std::uint64_t tile = index / kTileElements8;
  using Bits = typename Format::Bits;
  const std::uint64_t distance = UlpDistance<Format>(static_cast<Bits>(x), static_cast<Bits>(y));
  atomicMax(&batch.totals->first_tile, ~static_cast<unsigned long long>(tile));
  if (distance != 0) {
    atomicMax(&batch.totals->worst_tile, distance << 32 | ~static_cast<std::uint32_t>(tile));
  }
}

// What all pairs say, a thread's share of them.
template <typename Format>
struct PairFacts {
  using Units = typename ExactSum<Format>::Units;
  ExactSum<Format> dd, aa, bb, ab;
  std::uint64_t counters[kPairCounters] = {};
  double max_abs = 0;
  float max_rel = 0;
  std::uint32_t max_ulp = 0;

  __device__ void Add(std::uint32_t pair, std::uint64_t times, unsigned long long* histogram) {
    using Bits = typename Format::Bits;
    const auto x = static_cast<Bits>(pair >> 8), y = static_cast<Bits>(pair & 0xff);
    if (x != y) counters[kDifferent] += times;
    if (Format::IsNan(x) || Format::IsNan(y)) {
      counters[kAnyNans] += times;
      if (x == y) return;
      const bool both = Format::IsNan(x) && Format::IsNan(y);
      counters[both               ? kNanPayloads
               : Format::IsNan(x) ? kNanOnlyReferences
                                  : kNanOnlyCandidates] += times;
      return;
    }
    const auto ulp = static_cast<std::uint32_t>(UlpDistance<Format>(x, y));
    atomicAdd(&histogram[BitWidth(ulp)], static_cast<unsigned long long>(times));
    max_ulp = max(max_ulp, ulp);
    if (x != y && ulp == 0) counters[kSignedZeros] += times;
    const bool infinite_x = Format::IsInfinite(x), infinite_y = Format::IsInfinite(y);
    if (infinite_x || infinite_y) {
      if (x == y) return;
      counters[infinite_x && infinite_y ? kInfinitiesOpposite
               : infinite_x             ? kInfinityOnlyReferences
                                        : kInfinityOnlyCandidates] += times;
      return;
    }
    AddNumbers(x, y, times);
  }

 private:
  __device__ void AddNumbers(typename Format::Bits x, typename Format::Bits y,
                             std::uint64_t times) {
    const double difference = AbsoluteDifference<Format>(x, y);
    max_abs = fmax(max_abs, difference);
    if (difference != 0) max_rel = fmaxf(max_rel, RelativeDifference<Format>(x, difference));
    const std::int64_t d = InUnits<Format>(difference);
    const std::int64_t a = InUnits<Format>(Format::Decode(x)),
                       b = InUnits<Format>(Format::Decode(y));
    dd.Add(d, d, times);
    aa.Add(a, a, times);
    bb.Add(b, b, times);
    ab.Add(a, b, times);
  }
};

struct Sought {
  bool nan;           // the first with a NaN on one side
  std::uint32_t ulp;  // else the first so far apart
};

template <typename Format>
__device__ bool IsSought(const Sought& sought, std::uint32_t x, std::uint32_t y) {
  const bool nan_x = Format::IsNan(x), nan_y = Format::IsNan(y);
  if (sought.nan) return nan_x != nan_y;
  using Bits = typename Format::Bits;
  return x != y && !nan_x && !nan_y &&
         UlpDistance<Format>(static_cast<Bits>(x), static_cast<Bits>(y)) == sought.ulp;
}

__device__ std::uint32_t ByteOf(const uint4& vector, std::uint32_t i) {
  const std::uint32_t word = i < 8 ? (i < 4 ? vector.x : vector.y) : (i < 12 ? vector.z : vector.w);
  return word >> (i % 4 * 8) & 0xffu;
}

// The lowest index of different elements in a tile for which `is` holds, by a block; ~0 for none.
template <typename Is>
__device__ std::uint64_t FindInTile(const JointBatch& batch, std::uint64_t tile, Is is) {
  __shared__ unsigned long long lowest;
  if (threadIdx.x == 0) lowest = ~0ull;
  __syncthreads();
  const VectorReader a(batch.a, 8 * batch.count), b(batch.b, 8 * batch.count);
  // The last tile may have some more that are no whole vector.
#pragma unroll
  for (std::uint32_t k = 0; k < kLoads; ++k) {
    const std::uint64_t vector = tile * kTileVectors + k * kThreads + threadIdx.x;
    const uint4 x = a.Load(vector), y = b.Load(vector);
    if (AnyDifference(x, y) == 0) continue;
    for (std::uint32_t i = 0; i < 16; ++i) {
      const std::uint64_t index = 16 * vector + i;
      if (index >= batch.count || !is(ByteOf(x, i), ByteOf(y, i))) continue;
      atomicMin(&lowest, static_cast<unsigned long long>(index));
      break;
    }
  }
  __syncthreads();
  const std::uint64_t found = lowest;
  __syncthreads();
  return found;
}

template <typename T>
__device__ T SumInBlock(T mine, T* shared) {
  const T of_warp = SumWide(mine);
  if (LaneId() == 0) shared[threadIdx.x / kWarp] = of_warp;
  __syncthreads();
  T sum = 0;
  for (std::uint32_t i = 0; i < kThreads / kWarp; ++i) sum += shared[i];
  __syncthreads();
  return sum;
}

template <typename Format>
__global__ void __launch_bounds__(kThreads)
    DeriveKernel(const __grid_constant__ JointBatch batch, ElementStats* result, Sought* sought) {
  using Units = typename ExactSum<Format>::Units;
  __shared__ unsigned long long histogram[65], counters[kPairCounters], max_abs;
  __shared__ std::uint32_t max_rel, max_ulp;
  __shared__ Units warps[kThreads / kWarp];
  if (threadIdx.x < 65) histogram[threadIdx.x] = 0;
  if (threadIdx.x < kPairCounters) counters[threadIdx.x] = 0;
  if (threadIdx.x == 0) max_abs = max_rel = max_ulp = 0;
  __syncthreads();
  PairFacts<Format> mine;
  for (std::uint32_t i = threadIdx.x; i < kPasses<Format> * kPairs; i += kThreads) {
    const std::uint64_t times = batch.totals->counts[i];
    if (times != 0) mine.Add(i, times, histogram);
  }
  for (std::uint32_t i = 0; i < kPairCounters; ++i) {
    if (mine.counters[i] != 0) {
      atomicAdd(&counters[i], static_cast<unsigned long long>(mine.counters[i]));
    }
  }
  atomicMax(&max_abs, static_cast<unsigned long long>(__double_as_longlong(mine.max_abs)));
  atomicMax(&max_rel, __float_as_uint(mine.max_rel));
  atomicMax(&max_ulp, mine.max_ulp);
  const Units dd = SumInBlock(mine.dd.units, warps), aa = SumInBlock(mine.aa.units, warps);
  const Units bb = SumInBlock(mine.bb.units, warps), ab = SumInBlock(mine.ab.units, warps);
  std::uint64_t first = ElementStats::kNoIndex, worst = ElementStats::kNoIndex;
  const bool differs = counters[kDifferent] != 0;
  const bool one_sided = counters[kNanOnlyReferences] + counters[kNanOnlyCandidates] != 0;
  // Tiles say where the largest distance is only if no NaN was taken for a number.
  const bool search = one_sided || (max_ulp != 0 && counters[kAnyNans] != 0);
  if (differs) {
    first = FindInTile(batch, ~batch.totals->first_tile,
                       [](std::uint32_t x, std::uint32_t y) { return x != y; });
    worst = first;
    if (!search && max_ulp != 0) {
      const Sought what = {false, max_ulp};
      worst = FindInTile(
          batch, ~static_cast<std::uint32_t>(batch.totals->worst_tile),
          [&](std::uint32_t x, std::uint32_t y) { return IsSought<Format>(what, x, y); });
    }
  }
  if (threadIdx.x < 65) (&result->ulp_histogram[0])[threadIdx.x] = histogram[threadIdx.x];
  if (threadIdx.x != 0) return;
  result->compared = batch.count;
  result->different = counters[kDifferent];
  result->signed_zero = counters[kSignedZeros];
  result->nan_payload = counters[kNanPayloads];
  result->nan_only_reference = counters[kNanOnlyReferences];
  result->nan_only_candidate = counters[kNanOnlyCandidates];
  result->infinity_only_reference = counters[kInfinityOnlyReferences];
  result->infinity_only_candidate = counters[kInfinityOnlyCandidates];
  result->infinity_opposite = counters[kInfinitiesOpposite];
  result->max_abs = __longlong_as_double(static_cast<long long>(max_abs));
  result->max_rel = __uint_as_float(max_rel);
  result->max_ulp = max_ulp;
  result->first_index = first;
  result->worst_index = worst;
  result->sum_dd = ExactSum<Format>{dd}.Total();
  result->sum_aa = ExactSum<Format>{aa}.Total();
  result->sum_bb = ExactSum<Format>{bb}.Total();
  result->sum_ab = ExactSum<Format>{ab}.Total();
  sought[0] = {one_sided, search ? max_ulp : 0};
  sought[1].nan = search;
}

// Where tiles do not tell: blocks go up the array and stop beyond what another one has found.
template <typename Format>
__global__ void __launch_bounds__(kThreads)
    SearchKernel(const __grid_constant__ JointBatch batch, const Sought* sought) {
  if (!sought[1].nan) return;
  const Sought what = sought[0];
  const std::uint64_t tiles = (batch.count + kTileElements8 - 1) / kTileElements8;
  for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const unsigned long long found =
        ~*static_cast<volatile unsigned long long*>(&batch.totals->place);
    if (tile * kTileElements8 > found) return;
    const std::uint64_t here = FindInTile(batch, tile, [&](std::uint32_t x, std::uint32_t y) {
      return IsSought<Format>(what, x, y);
    });
    if (here == ~std::uint64_t{0}) continue;
    if (threadIdx.x == 0) {
      atomicMax(&batch.totals->place, ~static_cast<unsigned long long>(here));
    }
    return;
  }
}

__global__ void PlaceKernel(const JointTotals* totals, const Sought* sought, ElementStats* result) {
  if (sought[1].nan) result->worst_index = ~totals->place;
}

template <typename Format>
class JointLaunch : public ElementLaunch {
 public:
  JointLaunch(const ElementWork& work, ElementStats* results, Scratch& scratch)
      : stream_(scratch.stream()), result_(results + work.result) {
    int device = 0;
    CheckCuda(cudaGetDevice(&device), "cudaGetDevice");
    CheckCuda(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device),
              "cudaDeviceGetAttribute");
    CheckCuda(cudaFuncSetAttribute(CountKernel<Format>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   kSharedBytes),
              "cudaFuncSetAttribute");
    batch_ = {work.a, work.b, work.count, scratch.Allocate<JointTotals>(1)};
    sought_ = scratch.Allocate<Sought>(2);
  }

  void Launch() override {
    CheckCuda(cudaMemsetAsync(batch_.totals, 0, sizeof(JointTotals), stream_), "cudaMemsetAsync");
    const auto blocks = static_cast<std::uint32_t>(processors_);
    for (std::uint32_t pass = 0; pass < kPasses<Format>; ++pass) {
      CountKernel<Format><<<blocks, kThreads, kSharedBytes, stream_>>>(batch_, pass);
      CheckLaunch("CountKernel");
    }
    RestKernel<Format><<<1, 16, 0, stream_>>>(batch_);
    CheckLaunch("RestKernel");
    DeriveKernel<Format><<<1, kThreads, 0, stream_>>>(batch_, result_, sought_);
    CheckLaunch("DeriveKernel");
    SearchKernel<Format><<<blocks, kThreads, 0, stream_>>>(batch_, sought_);
    CheckLaunch("SearchKernel");
    PlaceKernel<<<1, 1, 0, stream_>>>(batch_.totals, sought_, result_);
    CheckLaunch("PlaceKernel");
  }

 private:
  static constexpr int kSharedBytes = kPairs * sizeof(std::uint32_t);

  cudaStream_t stream_;
  ElementStats* result_;
  JointBatch batch_ = {};
  Sought* sought_ = nullptr;
  int processors_ = 0;
};

}  // namespace

#define PARITY_JOINT_LAUNCH(Format)                                       \
  template <>                                                             \
  std::unique_ptr<ElementLaunch> MakeJointLaunch<Format>(                 \
      const ElementWork& work, ElementStats* results, Scratch& scratch) { \
    return std::make_unique<JointLaunch<Format>>(work, results, scratch); \
  }

PARITY_JOINT_LAUNCH(E4M3)
PARITY_JOINT_LAUNCH(E5M2)
PARITY_JOINT_LAUNCH(IntegerFormat<std::int8_t>)
PARITY_JOINT_LAUNCH(IntegerFormat<std::uint8_t>)

}  // namespace parity
