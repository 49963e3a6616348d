#include "kernels/block.h"
#include "kernels/cuda/byte_piece.cuh"
#include "kernels/cuda/changed_batch.h"

namespace parity {
namespace {

using Question = ChangedBatch::Question;

constexpr std::uint64_t kWordBytes = 64 * kBlockBytes;  // that one word of a bitmap covers
constexpr std::uint32_t kWordVectors = kWordBytes / 16;
constexpr std::uint32_t kLoads = kWordVectors / kWarp;

// One bit for each four lanes, which have one block together: lane bits 4i..4i+3 become bit i.
__device__ std::uint32_t BlockBits(std::uint32_t lanes) {
  lanes |= lanes >> 1;
  lanes = (lanes | lanes >> 2) & 0x11111111u;
  lanes = (lanes | lanes >> 3) & 0x03030303u;
  lanes = (lanes | lanes >> 6) & 0x000f000fu;
  return (lanes | lanes >> 12) & 0xffu;
}

// What differs in this lane's vectors of the word that begins at vector `first`. Loads without a
// branch between them are all under way at once.
__device__ void Differences(const BytePiece<Question>& piece, std::uint64_t first,
                            std::uint32_t (&differ)[kLoads]) {
  if (piece.Fast(first, kWordVectors)) {
    const uint4* a = piece.FastA() + first + LaneId();
    const uint4* b = piece.FastB() + first + LaneId();
    uint4 x[kLoads], y[kLoads];
#pragma unroll
    for (std::uint32_t k = 0; k < kLoads; ++k) {
      x[k] = LoadStreaming(a + k * kWarp);
      y[k] = LoadStreaming(b + k * kWarp);
    }
#pragma unroll
    for (std::uint32_t k = 0; k < kLoads; ++k) differ[k] = AnyDifference(x[k], y[k]);
    return;
  }
#pragma unroll
  for (std::uint32_t k = 0; k < kLoads; ++k) {
    const std::uint64_t vector = first + k * kWarp + LaneId();
    differ[k] = AnyDifference(piece.A(vector), piece.B(vector));
  }
}

__global__ void __launch_bounds__(kByteThreads)
    ChangedKernel(const ByteBatch<Question> batch, std::uint64_t* bitmaps) {
  const BytePiece<Question> piece(batch);
  if (!piece.Exists()) return;
  std::uint64_t* out = bitmaps + piece.question().first_word + piece.first() / kWordVectors;
#pragma unroll 1
  for (std::uint32_t begin = 0; begin < piece.size(); begin += kWordVectors) {
    std::uint32_t differ[kLoads];
    Differences(piece, piece.first() + begin, differ);
    std::uint64_t word = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < kLoads; ++k) {
      const std::uint32_t lanes = __ballot_sync(kAllLanes, differ[k] != 0);
      word |= std::uint64_t{BlockBits(lanes)} << (8 * k);
    }
    if (LaneId() == 0) out[begin / kWordVectors] = word;
  }
}

__global__ void __launch_bounds__(kByteThreads)
    DifferKernel(const ByteBatch<Question> batch, std::uint32_t* any) {
  const BytePiece<Question> piece(batch);
  if (!piece.Exists()) return;
  std::uint32_t any_bit = 0;
#pragma unroll 1
  for (std::uint32_t begin = 0; begin < piece.size(); begin += kWordVectors) {
    std::uint32_t differ[kLoads];
    Differences(piece, piece.first() + begin, differ);
#pragma unroll
    for (std::uint32_t k = 0; k < kLoads; ++k) any_bit |= differ[k];
  }
  if (__any_sync(kAllLanes, any_bit != 0) && LaneId() == 0) any[piece.task()] = 1;
}

}  // namespace

ChangedBatch::ChangedBatch(std::span<const ChangedTask> tasks, Ask ask, Scratch& scratch)
    : scratch_(scratch), ask_(ask) {
  std::vector<ByteWork<Question>> works;
  for (const ChangedTask& task : tasks) {
    works.push_back(
        {BitStream::At(task.a, 0), BitStream::At(task.b, 0), 8 * task.bytes, 0, {all_words_}});
    words_.push_back((task.bytes + kWordBytes - 1) / kWordBytes);
    all_words_ += words_.back();
  }
  batch_ = LayOut(std::move(works), scratch);
  if (ask == Ask::kBitmap) {
    bitmaps_ = scratch.Allocate<std::uint64_t>(all_words_);
  } else {
    any_ = scratch.Allocate<std::uint32_t>(tasks.size());
  }
}

void ChangedBatch::Launch() {
  if (ask_ == Ask::kAny) {
    CheckCuda(cudaMemsetAsync(any_, 0, words_.size() * sizeof(*any_), scratch_.stream()),
              "cudaMemsetAsync");
  }
  if (batch_.pieces == 0) return;
  if (ask_ == Ask::kBitmap) {
    ChangedKernel<<<batch_.blocks(), kByteThreads, 0, scratch_.stream()>>>(batch_, bitmaps_);
    CheckLaunch("ChangedKernel");
  } else {
    DifferKernel<<<batch_.blocks(), kByteThreads, 0, scratch_.stream()>>>(batch_, any_);
    CheckLaunch("DifferKernel");
  }
}

std::vector<std::vector<std::uint64_t>> ChangedBatch::ReadBitmaps() {
  const auto all = scratch_.Download(bitmaps_, all_words_);
  std::vector<std::vector<std::uint64_t>> bitmaps;
  auto at = all.begin();
  for (const std::uint64_t words : words_) {
    bitmaps.emplace_back(at, at + static_cast<std::ptrdiff_t>(words));
    at += static_cast<std::ptrdiff_t>(words);
  }
  return bitmaps;
}

std::vector<std::uint8_t> ChangedBatch::ReadAny() {
  const auto any = scratch_.Download(any_, words_.size());
  return {any.begin(), any.end()};
}

}  // namespace parity
