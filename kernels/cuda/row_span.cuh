// A unit's columns, as vectors from its first one on.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_SPAN_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROW_SPAN_CUH_

#include <cstdint>

#include "kernels/cuda/bit_stream.h"
#include "kernels/cuda/row_work.h"
#include "kernels/cuda/unaligned.cuh"

namespace parity {

template <typename Format>
struct RowSpan {
  BitStream a, b;
  std::uint32_t first_column, columns;
  std::uint64_t readable;
  bool aligned;

  __device__ RowSpan(const RowWork& work, std::uint32_t unit) {
    const std::uint32_t local = unit - work.first_unit;
    const std::uint64_t row = local / work.segments;
    first_column = local % work.segments * work.segment_columns;
    const std::uint32_t left = work.columns - first_column;
    columns = left < work.segment_columns ? left : work.segment_columns;
    const std::uint64_t bits = (row * work.columns + first_column) * Format::kBits;
    a = BitStream::At(work.a, bits);
    b = BitStream::At(work.b, bits);
    const std::uint64_t own = std::uint64_t{columns} * Format::kBits;
    readable = min(a.ReadableVectors(own), b.ReadableVectors(own));
    aligned = a.Aligned() && b.Aligned();
  }

  __device__ uint4 Load(const BitStream& stream, std::uint64_t vector) const {
    if (vector < readable) {
      if (aligned) return LoadStreaming(reinterpret_cast<const uint4*>(stream.words) + vector);
      return LoadShifted(stream, vector);
    }
    const std::uint64_t begin = vector * 128, end = std::uint64_t{columns} * Format::kBits;
    if (begin >= end) return make_uint4(0, 0, 0, 0);
    return LoadPart(stream, vector,
                    static_cast<std::uint32_t>(end - begin < 128 ? end - begin : 128));
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_SPAN_CUH_
