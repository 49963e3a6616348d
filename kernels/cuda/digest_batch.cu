#include "kernels/cuda/byte_piece.cuh"
#include "kernels/cuda/small_questions.h"
#include "kernels/digest.h"

namespace parity {
namespace {

struct Question {};

__device__ unsigned long long Wide(std::uint32_t low, std::uint32_t high) {
  return std::uint64_t{high} << 32 | low;
}

__global__ void __launch_bounds__(kByteThreads)
    DigestKernel(const ByteBatch<Question> batch, Digest* sums) {
  const BytePiece<Question> piece(batch);
  if (!piece.Exists()) return;
  Digest mine;
#pragma unroll 4
  for (std::uint32_t i = LaneId(); i < piece.size(); i += kWarp) {
    const std::uint64_t vector = piece.first() + i;
    const uint4 bytes = piece.A(vector);
    mine.Add(2 * vector, Wide(bytes.x, bytes.y));
    if (piece.Valid(vector) > 64) mine.Add(2 * vector + 1, Wide(bytes.z, bytes.w));
  }
  const unsigned long long first = SumOfLanes<unsigned long long>(mine.first);
  const unsigned long long second = SumOfLanes<unsigned long long>(mine.second);
  if (LaneId() != 0) return;
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  Digest& sum = sums[piece.task()];
  atomicAdd(reinterpret_cast<unsigned long long*>(&sum.first), first);
  atomicAdd(reinterpret_cast<unsigned long long*>(&sum.second), second);
}

}  // namespace

std::vector<Digest> Digests(std::span<const DigestTask> tasks, Scratch& scratch) {
  std::vector<ByteWork<Question>> works;
  for (const DigestTask& task : tasks) {
    const BitStream stream = BitStream::At(task.data, 0);
    works.push_back({stream, stream, 8 * task.bytes, 0, {}});
  }
  const ByteBatch<Question> batch = LayOut(std::move(works), scratch);
  auto* sums = scratch.AllocateZeroed<Digest>(tasks.size());
  if (batch.pieces != 0) {
    DigestKernel<<<batch.blocks(), kByteThreads, 0, scratch.stream()>>>(batch, sums);
    CheckLaunch("DigestKernel");
  }
  std::vector<Digest> digests = scratch.Download(sums, tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) digests[i] = digests[i].Finished(tasks[i].bytes);
  return digests;
}

}  // namespace parity
