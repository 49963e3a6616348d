// How a batch over bytes is cut: pieces of 32 KiB, one warp each.
#ifndef GTEST_PARITY_KERNELS_CUDA_BYTE_WORK_H_
#define GTEST_PARITY_KERNELS_CUDA_BYTE_WORK_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/cuda/bit_stream.h"
#include "kernels/cuda/scratch.h"
#include "kernels/cuda/work_table.h"

namespace parity {

inline constexpr std::uint64_t kBytePiece = 32768;
inline constexpr std::uint32_t kByteThreads = 256;

// Of one task: one or two arrays of as many bits, and what its question is asked with.
template <typename Question>
struct ByteWork {
  BitStream a, b;
  std::uint64_t bits = 0;
  std::uint32_t first_piece = 0;
  Question question = {};
};

template <typename Question>
struct ByteBatch {
  const ByteWork<Question>* works = nullptr;
  const std::uint32_t* work_of_piece = nullptr;
  std::uint32_t pieces = 0;

  std::uint32_t blocks() const { return (pieces + kByteThreads / 32 - 1) / (kByteThreads / 32); }
};

// On the device, in `scratch`.
template <typename Question>
ByteBatch<Question> LayOut(std::vector<ByteWork<Question>> works, Scratch& scratch) {
  std::uint64_t pieces = 0;
  std::vector<std::uint32_t> firsts;
  firsts.reserve(works.size());
  for (ByteWork<Question>& work : works) {
    work.first_piece = static_cast<std::uint32_t>(pieces);
    firsts.push_back(work.first_piece);
    pieces += (work.bits + 8 * kBytePiece - 1) / (8 * kBytePiece);
  }
  ByteBatch<Question> batch;
  batch.work_of_piece = MakeWorkTable(firsts, pieces, scratch);
  batch.pieces = static_cast<std::uint32_t>(pieces);
  batch.works = scratch.Upload(works);
  return batch;
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_BYTE_WORK_H_
