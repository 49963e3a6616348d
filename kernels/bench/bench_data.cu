#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "kernels/bench/bench_data.h"
#include "kernels/cuda/cuda_error.h"
#include "kernels/cuda/unaligned.cuh"
#include "kernels/digest.h"

namespace parity {
namespace {

constexpr std::uint32_t kBlocks = 4096;
constexpr std::uint32_t kThreads = 256;

__device__ float Normal(std::uint64_t seed) {
  const std::uint64_t bits = Mix(seed);
  const float u = (static_cast<float>(bits >> 40) + 0.5f) * 0x1p-24f;
  const float v = static_cast<float>((bits >> 16) & 0xffffff) * 0x1p-24f;
  return sqrtf(-2 * logf(u)) * cospif(2 * v);
}

__device__ std::uint64_t Encode(DType dtype, float value) {
  switch (dtype) {
    case DType::kF64:
      return static_cast<std::uint64_t>(__double_as_longlong(value));
    case DType::kF32:
      return __float_as_uint(value);
    case DType::kF16:
      return __half_as_ushort(__float2half(value));
    case DType::kBF16:
      return __bfloat16_as_ushort(__float2bfloat16(value));
    case DType::kE4M3:
      return __nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E4M3);
    case DType::kE5M2:
      return __nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E5M2);
    default:
      return static_cast<std::uint64_t>(static_cast<long long>(value * 20));
  }
}

__device__ std::uint64_t NotANumber(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return 0x7ff8000000000001;
    case DType::kF32:
      return 0x7fc00001;
    case DType::kF16:
      return 0x7e01;
    case DType::kBF16:
      return 0x7fc1;
    default:
      return 0x7f;
  }
}

// NaN on one side or both, an infinity (the largest bits below it), zeros of both signs.
__device__ void MakeSpecial(DType dtype, int bits, std::uint64_t seed, std::uint64_t& a,
                            std::uint64_t& b) {
  switch (seed % 4) {
    case 0:
      a = NotANumber(dtype);
      return;
    case 1:
      a = b = NotANumber(dtype);
      return;
    case 2:
      b = dtype == DType::kF32    ? 0x7f800000
          : dtype == DType::kBF16 ? 0x7f80
                                  : NotANumber(dtype) & ~1ull;
      return;
    default:
      a = 0;
      b = 1ull << (bits - 1);
  }
}

__device__ void MakePair(DType dtype, int bits, BenchData data, std::uint64_t i, std::uint64_t& a,
                         std::uint64_t& b) {
  const float value = Normal(2 * i);
  const float noise = (bits == 8 ? 0.1f : 0.01f) * Normal(2 * i + 1);
  a = b = Encode(dtype, value);
  switch (data) {
    case BenchData::kEqual:
      return;
    case BenchData::kOneIn1000:
      if (i % 1000 == 0) b ^= 1;
      return;
    case BenchData::kUnrelated:
      b = Encode(dtype, Normal(2 * i + 1));
      return;
    case BenchData::kUlps:
      b = a + 1 + Mix(i) % 3;
      return;
    case BenchData::kNoise:
      b = Encode(dtype, value + noise);
      if (a == b) b ^= 1;
      return;
    case BenchData::kMixed:
      if (i / 32768 % 2 == 0) b = Encode(dtype, value + noise);
      if (Mix(i) % 2222 == 0) MakeSpecial(dtype, bits, Mix(i + 1), a, b);
  }
}

template <typename Bits>
__global__ void MakeKernel(DType dtype, BenchData data, Bits* a, Bits* b, std::uint64_t count) {
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
       i += std::uint64_t{kBlocks} * kThreads) {
    std::uint64_t x = 0, y = 0;
    MakePair(dtype, 8 * sizeof(Bits), data, i, x, y);
    a[i] = static_cast<Bits>(x);
    b[i] = static_cast<Bits>(y);
  }
}

template <typename Bits>
__global__ void MakeRowsKernel(DType dtype, bool unrelated, Bits* a, Bits* b, std::uint64_t count) {
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
       i += std::uint64_t{kBlocks} * kThreads) {
    const float x = 2 * Normal(2 * i), other = Normal(2 * i + 1);
    a[i] = static_cast<Bits>(Encode(dtype, x));
    b[i] = static_cast<Bits>(Encode(dtype, unrelated ? 2 * other : x + 0.02f * other));
  }
}

template <typename Make>
void OfWidth(DType dtype, Make make) {
  switch (BitsOf(dtype)) {
    case 64:
      return make(std::uint64_t{});
    case 32:
      return make(std::uint32_t{});
    case 16:
      return make(std::uint16_t{});
    default:
      return make(std::uint8_t{});
  }
}

constexpr std::uint32_t kCompareThreads = 1024;
constexpr std::uint32_t kCompareBlocks = 8448;
constexpr std::uint32_t kCompareLoads = 4;

__global__ void __launch_bounds__(kCompareThreads)
    StreamingCompare(const uint4* a, const uint4* b, std::uint64_t vectors,
                     unsigned long long* count) {
  std::uint32_t different = 0;
  const std::uint64_t stride = std::uint64_t{kCompareBlocks} * kCompareThreads * kCompareLoads;
  for (std::uint64_t begin =
           std::uint64_t{blockIdx.x} * kCompareThreads * kCompareLoads + threadIdx.x;
       begin < vectors; begin += stride) {
    uint4 x[kCompareLoads] = {}, y[kCompareLoads] = {};
#pragma unroll
    for (std::uint32_t k = 0; k < kCompareLoads; ++k) {
      const std::uint64_t i = begin + k * kCompareThreads;
      if (i >= vectors) continue;
      x[k] = LoadStreaming(a + i);
      y[k] = LoadStreaming(b + i);
    }
#pragma unroll
    for (std::uint32_t k = 0; k < kCompareLoads; ++k) different += AnyDifference(x[k], y[k]) != 0;
  }
  const int any = __syncthreads_count(static_cast<int>(different));
  if (threadIdx.x == 0 && any != 0) atomicAdd(count, static_cast<unsigned long long>(any));
}

}  // namespace

void MakeBenchData(DType dtype, BenchData data, void* a, void* b, std::uint64_t bytes) {
  OfWidth(dtype, [&]<typename Bits>(Bits) {
    MakeKernel<<<kBlocks, kThreads>>>(dtype, data, static_cast<Bits*>(a), static_cast<Bits*>(b),
                                      bytes / sizeof(Bits));
    CheckLaunch("MakeKernel");
  });
}

void MakeBenchRows(DType dtype, bool unrelated, void* a, void* b, std::uint64_t elements) {
  OfWidth(dtype, [&]<typename Bits>(Bits) {
    MakeRowsKernel<<<kBlocks, kThreads>>>(dtype, unrelated, static_cast<Bits*>(a),
                                          static_cast<Bits*>(b), elements);
    CheckLaunch("MakeRowsKernel");
  });
}

void LaunchStreamingCompare(const void* a, const void* b, std::uint64_t bytes,
                            unsigned long long* count) {
  StreamingCompare<<<kCompareBlocks, kCompareThreads>>>(
      static_cast<const uint4*>(a), static_cast<const uint4*>(b), bytes / 16, count);
  CheckLaunch("StreamingCompare");
}

}  // namespace parity
