#include "kernels/cuda/byte_work.h"
#include "kernels/cuda/small_questions.h"
#include "kernels/cuda/unaligned.cuh"
#include "kernels/cuda/warp.cuh"

namespace parity {
namespace {

// What the bytes from `to` on become: those at `from`, or those of `pattern` again and again.
struct Question {
  unsigned char* to = nullptr;
  const unsigned char* from = nullptr;
  ElementBits pattern = 0;  // 8 bytes of whole elements
  bool half = false;        // of the byte after the last only the low half
};

// A block a piece: what is under way at a time lies close together in memory. The destination's
// vectors lie at multiples of 16 bytes; what is left at its ends goes by bytes.
template <typename WriteVector, typename WriteByte, typename WriteHalf>
__device__ void WritePiece(const ByteBatch<Question>& batch, WriteVector write, WriteByte byte,
                           WriteHalf half) {
  const std::uint32_t piece = blockIdx.x;
  const ByteWork<Question>& work = batch.works[batch.work_of_piece[piece]];
  const Question question = work.question;
  const auto before = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(question.to) % 16);
  const auto bytes = static_cast<std::int64_t>(work.bits / 8) - (question.half ? 1 : 0);
  // `bits` covers `before` too, so that the pieces cover all vectors.
  const std::int64_t end = bytes - before;
  const std::int64_t begin = std::int64_t{piece - work.first_piece} * kBytePiece - before;
  for (std::int64_t i = begin + 16 * threadIdx.x;
       i < begin + static_cast<std::int64_t>(kBytePiece) && i < end; i += 16 * kByteThreads) {
    if (i >= 0 && i + 16 <= end) {
      write(question, i, end);
    } else {
      for (std::int64_t k = i < 0 ? 0 : i; k < i + 16 && k < end; ++k) byte(question, k);
    }
  }
  if (question.half && threadIdx.x == 0 && end >= begin &&
      end < begin + static_cast<std::int64_t>(kBytePiece)) {
    half(question, end);
  }
}

__global__ void __launch_bounds__(kByteThreads) FillKernel(const ByteBatch<Question> batch) {
  WritePiece(
      batch,
      [](const Question& question, std::int64_t at, std::int64_t) {
        const auto shift = static_cast<std::uint32_t>(at % 8 * 8);
        const std::uint64_t turned = shift == 0 ? question.pattern
                                                : question.pattern >> shift | question.pattern
                                                                                  << (64 - shift);
        const auto low = static_cast<std::uint32_t>(turned);
        const auto high = static_cast<std::uint32_t>(turned >> 32);
        *reinterpret_cast<uint4*>(question.to + at) = make_uint4(low, high, low, high);
      },
      [](const Question& question, std::int64_t at) {
        question.to[at] = static_cast<unsigned char>(question.pattern >> (at % 8 * 8));
      },
      [](const Question& question, std::int64_t at) {
        question.to[at] =
            static_cast<unsigned char>((question.to[at] & 0xf0) | (question.pattern & 0x0f));
      });
}

// The block's piece, all of it under way together. False, with nothing copied, where vectors do not
// lie at multiples of 16 bytes on both sides or not all are there.
__device__ bool CopyWholePiece(const ByteBatch<Question>& batch) {
  constexpr std::uint32_t kLoads = kBytePiece / 16 / kByteThreads;
  static_assert(kLoads * 16 * kByteThreads == kBytePiece);
  const ByteWork<Question>& work = batch.works[batch.work_of_piece[blockIdx.x]];
  const Question& question = work.question;
  const std::uint64_t begin = std::uint64_t{blockIdx.x - work.first_piece} * kBytePiece;
  const auto addresses = reinterpret_cast<std::uintptr_t>(question.from) |
                         reinterpret_cast<std::uintptr_t>(question.to);
  if (addresses % 16 != 0 || begin + kBytePiece > work.bits / 8) return false;
  const uint4* from = reinterpret_cast<const uint4*>(question.from + begin) + threadIdx.x;
  uint4* to = reinterpret_cast<uint4*>(question.to + begin) + threadIdx.x;
  uint4 bytes[kLoads];
#pragma unroll
  for (std::uint32_t k = 0; k < kLoads; ++k) bytes[k] = LoadStreaming(from + k * kByteThreads);
#pragma unroll
  for (std::uint32_t k = 0; k < kLoads; ++k) to[k * kByteThreads] = bytes[k];
  return true;
}

__global__ void __launch_bounds__(kByteThreads) CopyKernel(const ByteBatch<Question> batch) {
  if (CopyWholePiece(batch)) return;
  WritePiece(
      batch,
      [](const Question& question, std::int64_t at, std::int64_t end) {
        const BitStream from = BitStream::At(question.from + at, 0);
        uint4 bytes;
        if (from.Aligned()) {
          bytes = LoadStreaming(reinterpret_cast<const uint4*>(from.words));
        } else if (from.shift == 0 || at + 20 <= end) {
          bytes = LoadShifted(from, 0);
        } else {
          bytes = LoadPart(from, 0, 128);
        }
        *reinterpret_cast<uint4*>(question.to + at) = bytes;
      },
      [](const Question& question, std::int64_t at) { question.to[at] = question.from[at]; },
      [](const Question&, std::int64_t) {});
}

// The bytes and those that lie before them in the first vector.
std::uint64_t CoveredBits(const void* to, std::uint64_t bytes) {
  return bytes == 0 ? 0 : 8 * (bytes + reinterpret_cast<std::uintptr_t>(to) % 16);
}

ElementBits Repeated(ElementBits pattern, std::uint32_t bits) {
  if (bits == 64) return pattern;
  pattern &= (ElementBits{1} << bits) - 1;
  for (; bits < 64; bits *= 2) pattern |= pattern << bits;
  return pattern;
}

}  // namespace

void Fill(std::span<const FillTask> tasks, Scratch& scratch) {
  std::vector<ByteWork<Question>> works;
  for (const FillTask& task : tasks) {
    const std::uint32_t bits = BitsOf(task.dtype);
    auto* to = static_cast<unsigned char*>(task.data);
    works.push_back({{},
                     {},
                     CoveredBits(to, BytesOf(task.dtype, task.count)),
                     0,
                     {to, nullptr, Repeated(task.pattern, bits), bits * task.count % 8 != 0}});
  }
  const auto batch = LayOut(std::move(works), scratch);
  if (batch.pieces == 0) return;
  FillKernel<<<batch.pieces, kByteThreads, 0, scratch.stream()>>>(batch);
  CheckLaunch("FillKernel");
}

void Copy(std::span<const CopyTask> tasks, Scratch& scratch) {
  std::vector<ByteWork<Question>> works;
  works.reserve(tasks.size());
  for (std::size_t i = 0; i < tasks.size();) {
    CopyTask task = tasks[i++];
    // Neighbours on both sides, as the pages of a large array are, are one.
    while (i < tasks.size() && tasks[i].from == static_cast<const char*>(task.from) + task.bytes &&
           tasks[i].to == static_cast<char*>(task.to) + task.bytes) {
      task.bytes += tasks[i++].bytes;
    }
    works.push_back({{},
                     {},
                     CoveredBits(task.to, task.bytes),
                     0,
                     {static_cast<unsigned char*>(task.to),
                      static_cast<const unsigned char*>(task.from), 0, false}});
  }
  const auto batch = LayOut(std::move(works), scratch);
  if (batch.pieces == 0) return;
  CopyKernel<<<batch.pieces, kByteThreads, 0, scratch.stream()>>>(batch);
  CheckLaunch("CopyKernel");
}

}  // namespace parity
