#include "kernels/cuda/by_dtype.h"
#include "kernels/cuda/byte_piece.cuh"
#include "kernels/cuda/small_questions.h"
#include "kernels/cuda/vector_elements.cuh"
#include "kernels/dispatch.h"

namespace parity {
namespace {

// What of a range a format's values are held against.
template <typename Format>
struct Bounds {
  using Value = std::conditional_t<Format::kIsFloat, double, typename Format::Value>;
  Value low = 0, high = 0;
  bool empty = false;

  static Bounds Of(const ValueRange& range) {
    if constexpr (Format::kIsFloat) {
      return {range.min, range.max, false};
    } else {
      const auto integers = IntegersOf<Value>(range);
      return {integers.low, integers.high, integers.empty};
    }
  }
  // NaN is inside nothing.
  __device__ bool Contains(Value value) const { return !empty && low <= value && value <= high; }
};

template <typename Format>
struct Question {
  Bounds<Format> bounds;
  std::uint32_t result = 0;
};

struct Found {
  unsigned long long count, first;
};

template <typename Format>
__global__ void __launch_bounds__(kByteThreads)
    OutsideKernel(const ByteBatch<Question<Format>> batch, Found* found) {
  constexpr std::uint32_t kElements = 128 / Format::kBits;
  const BytePiece<Question<Format>> piece(batch);
  if (!piece.Exists()) return;
  const Bounds<Format> bounds = piece.question().bounds;
  std::uint32_t count = 0;
  unsigned long long first = ~0ull;
#pragma unroll 1
  for (std::uint32_t i = LaneId(); i < piece.size(); i += kWarp) {
    const std::uint64_t vector = piece.first() + i;
    const uint4 bits = piece.A(vector);
    const std::uint32_t valid = piece.Valid(vector) / Format::kBits;
#pragma unroll
    for (std::uint32_t k = 0; k < kElements; ++k) {
      if (k >= valid || bounds.Contains(Format::Decode(ElementOf<Format>(bits, k)))) continue;
      if (count++ == 0) first = vector * kElements + k;
    }
  }
  count = SumOfLanes(count);
  if (count == 0) return;
  first = MinOfLanes(first);
  if (LaneId() != 0) return;
  Found& result = found[piece.question().result];
  atomicAdd(&result.count, static_cast<unsigned long long>(count));
  atomicMin(&result.first, first);
}

// First elements' values, a thread a task.
template <typename Format>
__global__ void ValueKernel(const ByteWork<Question<Format>>* works, std::uint32_t count,
                            const Found* found, OutsideRange* results) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::uint32_t result = works[i].question.result;
  if (found[result].count == 0) return;
  const std::uint64_t first = found[result].first;
  results[result] = {found[result].count, first,
                     static_cast<double>(Format::Decode(ElementAt<Format>(works[i].a, first)))};
}

__global__ void NothingFound(Found* found, std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) found[i] = {0, ~0ull};
}

template <typename Format>
void Launch(std::span<const DomainTask> tasks, const std::vector<std::size_t>& indices,
            Found* found, OutsideRange* results, Scratch& scratch) {
  std::vector<ByteWork<Question<Format>>> works;
  for (const std::size_t i : indices) {
    const BitStream stream = BitStream::At(tasks[i].data, 0);
    works.push_back({stream,
                     stream,
                     tasks[i].count * Format::kBits,
                     0,
                     {Bounds<Format>::Of(tasks[i].range), static_cast<std::uint32_t>(i)}});
  }
  const auto count = static_cast<std::uint32_t>(works.size());
  const auto batch = LayOut(std::move(works), scratch);
  if (batch.pieces == 0) return;
  OutsideKernel<Format><<<batch.blocks(), kByteThreads, 0, scratch.stream()>>>(batch, found);
  CheckLaunch("OutsideKernel");
  ValueKernel<Format>
      <<<(count + 127) / 128, 128, 0, scratch.stream()>>>(batch.works, count, found, results);
  CheckLaunch("ValueKernel");
}

}  // namespace

std::vector<OutsideRange> Outside(std::span<const DomainTask> tasks, Scratch& scratch) {
  const auto sorted = ByDType(tasks);
  for (const DomainTask& task : tasks) CheckRange(task.range);
  if (sorted.contains(DType::kBytes)) {
    CountOutside(DType::kBytes, nullptr, 0, {});  // says why not
  }
  if (tasks.empty()) return {};
  auto* found = scratch.Allocate<Found>(tasks.size());
  const auto count = static_cast<std::uint32_t>(tasks.size());
  NothingFound<<<(count + 127) / 128, 128, 0, scratch.stream()>>>(found, count);
  CheckLaunch("NothingFound");
  auto* results = scratch.AllocateZeroed<OutsideRange>(tasks.size());
  for (const auto& [dtype, indices] : sorted) {
    VisitNumericFormat(dtype, "CountOutside", [&]<typename Format>(Format) {
      Launch<Format>(tasks, indices, found, results, scratch);
    });
  }
  return scratch.Download(results, tasks.size());
}

}  // namespace parity
