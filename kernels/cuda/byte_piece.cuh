// The warp's piece of a batch over bytes, 16 bytes a lane at a time.
#ifndef GTEST_PARITY_KERNELS_CUDA_BYTE_PIECE_CUH_
#define GTEST_PARITY_KERNELS_CUDA_BYTE_PIECE_CUH_

#include <cstdint>

#include "kernels/cuda/byte_work.h"
#include "kernels/cuda/unaligned.cuh"
#include "kernels/cuda/warp.cuh"

namespace parity {

inline constexpr std::uint32_t kPieceVectors = kBytePiece / 16;

template <typename Question>
class BytePiece {
 public:
  // Of this warp; `Exists` is false past the last.
  __device__ explicit BytePiece(const ByteBatch<Question>& batch) {
    const std::uint32_t piece = (blockIdx.x * kByteThreads + threadIdx.x) / kWarp;
    exists_ = piece < batch.pieces;
    if (!exists_) return;
    task_ = batch.work_of_piece[piece];
    work_ = &batch.works[task_];
    first_ = std::uint64_t{piece - work_->first_piece} * kPieceVectors;
    a_ = work_->a;
    b_ = work_->b;
    bits_ = work_->bits;
    readable_ = min(a_.ReadableVectors(bits_), b_.ReadableVectors(bits_));
    aligned_ = a_.Aligned() && b_.Aligned();
  }
  __device__ bool Exists() const { return exists_; }
  __device__ std::uint32_t task() const { return task_; }
  __device__ const Question& question() const { return work_->question; }
  __device__ std::uint64_t bits() const { return bits_; }
  __device__ const BitStream& stream_a() const { return a_; }
  __device__ const BitStream& stream_b() const { return b_; }
  // Index of the piece's first vector, and how many it has, the last perhaps a part.
  __device__ std::uint64_t first() const { return first_; }
  __device__ std::uint32_t size() const {
    const std::uint64_t left = (bits_ + 127) / 128 - first_;
    return static_cast<std::uint32_t>(left < kPieceVectors ? left : kPieceVectors);
  }

  // Whether vectors [index, index + count) are whole ones at multiples of 16 bytes.
  __device__ bool Fast(std::uint64_t index, std::uint32_t count) const {
    return aligned_ && index + count <= readable_;
  }
  __device__ const uint4* FastA() const { return reinterpret_cast<const uint4*>(a_.words); }
  __device__ const uint4* FastB() const { return reinterpret_cast<const uint4*>(b_.words); }
  // Vector `index` of either side; zeros beyond the end.
  __device__ uint4 A(std::uint64_t index) const { return Load(a_, index); }
  __device__ uint4 B(std::uint64_t index) const { return Load(b_, index); }
  // Bits of it that are there: 128, fewer in the last one, 0 beyond.
  __device__ std::uint32_t Valid(std::uint64_t index) const {
    const std::uint64_t begin = 128 * index;
    if (begin >= bits_) return 0;
    return static_cast<std::uint32_t>(bits_ - begin < 128 ? bits_ - begin : 128);
  }

 private:
  __device__ uint4 Load(const BitStream& stream, std::uint64_t index) const {
    if (index < readable_) {
      if (aligned_) return LoadStreaming(reinterpret_cast<const uint4*>(stream.words) + index);
      return LoadShifted(stream, index);
    }
    const std::uint32_t valid = Valid(index);
    return valid == 0 ? make_uint4(0, 0, 0, 0) : LoadPart(stream, index, valid);
  }

  const ByteWork<Question>* work_ = nullptr;
  BitStream a_, b_;
  std::uint64_t bits_ = 0, first_ = 0, readable_ = 0;
  std::uint32_t task_ = 0;
  bool exists_ = false, aligned_ = false;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_BYTE_PIECE_CUH_
