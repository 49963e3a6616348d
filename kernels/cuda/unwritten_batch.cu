#include <algorithm>
#include <map>

#include "kernels/cuda/byte_piece.cuh"
#include "kernels/cuda/small_questions.h"
#include "kernels/cuda/vector_elements.cuh"
#include "kernels/dispatch.h"

namespace parity {
namespace {

constexpr std::uint32_t kThreads = 256;
constexpr std::uint64_t kFirstCapacity = 4096;

struct Question {
  ElementBits pattern1 = 0, pattern2 = 0;
  std::uint64_t first_word = 0;  // of the task's bits, among those of all
};

// A bit for each element that holds both patterns.
template <typename Format>
__global__ void __launch_bounds__(kByteThreads)
    UnwrittenKernel(const ByteBatch<Question> batch, std::uint32_t* words) {
  constexpr std::uint32_t kElements = 128 / Format::kBits;
  constexpr std::uint32_t kWordLanes = 32 / kElements;  // lanes whose elements share a word
  using Bits = typename Format::Bits;
  const BytePiece<Question> piece(batch);
  if (!piece.Exists()) return;
  const auto pattern1 = static_cast<Bits>(piece.question().pattern1);
  const auto pattern2 = static_cast<Bits>(piece.question().pattern2);
#pragma unroll 1
  for (std::uint32_t begin = 0; begin < piece.size(); begin += kWarp) {
    const std::uint64_t vector = piece.first() + begin + LaneId();
    const uint4 a = piece.A(vector), b = piece.B(vector);
    const std::uint32_t valid = piece.Valid(vector) / Format::kBits;
    std::uint32_t bits = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < kElements; ++k) {
      const bool unwritten =
          k < valid && ElementOf<Format>(a, k) == pattern1 && ElementOf<Format>(b, k) == pattern2;
      bits |= std::uint32_t{unwritten} << k;
    }
    bits <<= LaneId() % kWordLanes * kElements % 32;
    for (std::uint32_t other = 1; other < kWordLanes; other *= 2) {
      bits |= __shfl_xor_sync(kAllLanes, bits, static_cast<int>(other));
    }
    if (LaneId() % kWordLanes == 0 && valid != 0) {
      words[piece.question().first_word + vector * kElements / 32] = bits;
    }
  }
}

// Places in all the bits, end to end, where a run begins or ends; in no order. A word of zeros lies
// between two tasks. Counts on where there is no room.
__global__ void EdgesKernel(const std::uint32_t* words, std::uint64_t count, std::uint64_t capacity,
                            unsigned long long* edges, unsigned long long* found) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const std::uint32_t word = words[i], before = i == 0 ? 0 : words[i - 1] >> 31;
  std::uint32_t here = word ^ (word << 1 | before);
  if (here == 0) return;
  std::uint64_t at = atomicAdd(found, static_cast<unsigned long long>(__popc(here)));
  for (; here != 0; here &= here - 1, ++at) {
    if (at < capacity) edges[at] = 32 * i + static_cast<std::uint32_t>(__ffs(here) - 1);
  }
}

template <typename Format>
void Launch(std::vector<ByteWork<Question>> works, std::uint32_t* words, Scratch& scratch) {
  const auto batch = LayOut(std::move(works), scratch);
  if (batch.pieces == 0) return;
  UnwrittenKernel<Format><<<batch.blocks(), kByteThreads, 0, scratch.stream()>>>(batch, words);
  CheckLaunch("UnwrittenKernel");
}

void LaunchOfWidth(std::uint32_t bits, std::vector<ByteWork<Question>> works, std::uint32_t* words,
                   Scratch& scratch) {
  switch (bits) {
    case 4:
      return Launch<E2M1>(std::move(works), words, scratch);
    case 8:
      return Launch<IntegerFormat<std::uint8_t>>(std::move(works), words, scratch);
    case 16:
      return Launch<IntegerFormat<std::uint16_t>>(std::move(works), words, scratch);
    case 32:
      return Launch<IntegerFormat<std::uint32_t>>(std::move(works), words, scratch);
    default:
      return Launch<IntegerFormat<std::uint64_t>>(std::move(works), words, scratch);
  }
}

std::vector<unsigned long long> Edges(const std::uint32_t* words, std::uint64_t count,
                                      Scratch& scratch) {
  for (std::uint64_t capacity = kFirstCapacity;;) {
    auto* found = scratch.AllocateZeroed<unsigned long long>(1);
    auto* edges = scratch.Allocate<unsigned long long>(capacity);
    const auto blocks = static_cast<std::uint32_t>((count + kThreads - 1) / kThreads);
    EdgesKernel<<<blocks, kThreads, 0, scratch.stream()>>>(words, count, capacity, edges, found);
    CheckLaunch("EdgesKernel");
    const std::uint64_t all = scratch.Download(found, 1)[0];
    if (all <= capacity) {
      auto result = scratch.Download(edges, all);
      std::sort(result.begin(), result.end());
      return result;
    }
    capacity = all;
  }
}

}  // namespace

std::vector<std::vector<ElementRun>> Unwritten(std::span<const UnwrittenTask> tasks,
                                               Scratch& scratch) {
  std::vector<std::vector<ElementRun>> runs(tasks.size());
  if (tasks.empty()) return runs;
  std::map<std::uint32_t, std::vector<ByteWork<Question>>> by_width;
  std::vector<std::uint64_t> ends;  // of each task's bits, end to end
  std::uint64_t words = 0;
  for (const UnwrittenTask& task : tasks) {
    const std::uint32_t bits = BitsOf(task.dtype);
    by_width[bits].push_back({BitStream::At(task.data1, task.first * bits),
                              BitStream::At(task.data2, task.first * bits),
                              task.count * bits,
                              0,
                              {task.pattern1, task.pattern2, words}});
    words += (task.count + 31) / 32 + 1;
    ends.push_back(32 * words);
  }
  auto* bitmap = scratch.AllocateZeroed<std::uint32_t>(words);
  for (auto& [bits, works] : by_width) LaunchOfWidth(bits, std::move(works), bitmap, scratch);
  const auto edges = Edges(bitmap, words, scratch);
  std::size_t task = 0;
  for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
    while (edges[i] >= ends[task]) ++task;
    const std::uint64_t begin = task == 0 ? 0 : ends[task - 1];
    runs[task].push_back({edges[i] - begin, edges[i + 1] - edges[i]});
  }
  return runs;
}

}  // namespace parity
