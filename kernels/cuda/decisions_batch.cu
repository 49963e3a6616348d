#include <algorithm>
#include <map>

#include "kernels/cuda/by_dtype.h"
#include "kernels/cuda/byte_piece.cuh"
#include "kernels/cuda/small_questions.h"
#include "kernels/cuda/vector_elements.cuh"
#include "kernels/dispatch.h"

namespace parity {
namespace {

constexpr std::uint64_t kFirstCapacity = 4096;

struct Question {
  DecisionScores scores;
  std::uint64_t per_row = 1;  // choices
  std::uint32_t task = 0;
};

struct Flip {
  DecisionFlip flip;
  std::uint32_t task;
};

struct Flips {
  Flip* flips;
  unsigned long long* found;
  std::uint64_t capacity;
};

__device__ double ScoreAt(DType dtype, const unsigned char* data, std::uint64_t index) {
  const auto decode = [&]<typename Format>(Format) {
    return static_cast<double>(Format::Decode(LoadBits<Format>(data, index)));
  };
  switch (dtype) {
    case DType::kF64:
      return decode(F64{});
    case DType::kF32:
      return decode(F32{});
    case DType::kF16:
      return decode(F16{});
    case DType::kBF16:
      return decode(BF16{});
    case DType::kE4M3:
      return decode(E4M3{});
    case DType::kE5M2:
      return decode(E5M2{});
    case DType::kE8M0:
      return decode(E8M0{});
    default:
      return decode(E2M1{});
  }
}

// NaN where `id` is none of the choices that were scored.
__device__ double ScoreOf(const DecisionScores& scores, std::uint64_t row, std::int64_t id) {
  if (id < 0 || static_cast<std::uint64_t>(id) >= scores.columns) return nan("");
  return ScoreAt(scores.dtype, static_cast<const unsigned char*>(scores.data),
                 row * scores.columns + static_cast<std::uint64_t>(id));
}

__device__ double MarginOf(const DecisionScores& scores, std::uint64_t row, std::int64_t reference,
                           std::int64_t candidate) {
  if (scores.data == nullptr) return HUGE_VAL;
  const double best = ScoreOf(scores, row, reference), other = ScoreOf(scores, row, candidate);
  if (isnan(best) || isnan(other)) return HUGE_VAL;
  return best == other ? 0 : best - other;
}

template <typename Format>
__global__ void __launch_bounds__(kByteThreads)
    DecisionsKernel(const ByteBatch<Question> batch, const Flips flips) {
  constexpr std::uint32_t kElements = 128 / Format::kBits;
  const BytePiece<Question> piece(batch);
  if (!piece.Exists()) return;
#pragma unroll 1
  for (std::uint32_t i = LaneId(); i < piece.size(); i += kWarp) {
    const std::uint64_t vector = piece.first() + i;
    const uint4 a = piece.A(vector), b = piece.B(vector);
    if (AnyDifference(a, b) == 0) continue;
#pragma unroll 1
    for (std::uint32_t k = 0; k < kElements; ++k) {
      const std::uint64_t index = vector * kElements + k;
      if (index * Format::kBits >= piece.bits()) break;
      const auto x = Format::Decode(ElementAt<Format>(piece.stream_a(), index));
      const auto y = Format::Decode(ElementAt<Format>(piece.stream_b(), index));
      if (x == y) continue;
      const Question& question = piece.question();
      const auto first = static_cast<std::int64_t>(x), second = static_cast<std::int64_t>(y);
      const double margin = MarginOf(question.scores, index / question.per_row, first, second);
      const std::uint64_t at = atomicAdd(flips.found, 1ull);
      if (at < flips.capacity) {
        flips.flips[at] = {{index, first, second, margin}, question.task};
      }
    }
  }
}

using Works = std::map<DType, std::vector<ByteWork<Question>>>;

std::vector<Flip> Find(const Works& sorted, Scratch& scratch) {
  for (std::uint64_t capacity = kFirstCapacity;;) {
    const Flips flips = {scratch.Allocate<Flip>(capacity),
                         scratch.AllocateZeroed<unsigned long long>(1), capacity};
    for (const auto& [dtype, works] : sorted) {
      VisitIntegerFormat(dtype, "CompareDecisions", [&]<typename Format>(Format) {
        const auto batch = LayOut(works, scratch);
        if (batch.pieces == 0) return;
        DecisionsKernel<Format>
            <<<batch.blocks(), kByteThreads, 0, scratch.stream()>>>(batch, flips);
        CheckLaunch("DecisionsKernel");
      });
    }
    const std::uint64_t all = scratch.Download(flips.found, 1)[0];
    if (all <= capacity) return scratch.Download(flips.flips, all);
    capacity = all;
  }
}

}  // namespace

std::vector<DecisionStats> Decisions(std::span<const DecisionsTask> tasks, Scratch& scratch) {
  std::vector<DecisionStats> results(tasks.size());
  if (tasks.empty()) return results;
  Works sorted;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const DecisionsTask& task = tasks[i];
    CheckDecisions(task.dtype, task.count, task.scores);
    results[i].compared = task.count;
    const std::uint64_t rows = task.scores.rows;
    sorted[task.dtype].push_back(
        {BitStream::At(task.reference, 0),
         BitStream::At(task.candidate, 0),
         task.count * BitsOf(task.dtype),
         0,
         {task.scores, rows == 0 ? 1 : std::max<std::uint64_t>(1, task.count / rows),
          static_cast<std::uint32_t>(i)}});
  }
  for (const Flip& flip : Find(sorted, scratch)) results[flip.task].flips.push_back(flip.flip);
  for (DecisionStats& stats : results) {
    std::sort(stats.flips.begin(), stats.flips.end(),
              [](const DecisionFlip& a, const DecisionFlip& b) { return a.index < b.index; });
  }
  return results;
}

}  // namespace parity
