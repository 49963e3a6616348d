// A unit's columns on a grid of 16-byte vectors.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_SPAN_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROW_SPAN_CUH_

#include <cstdint>

#include "kernels/cuda/bit_stream.h"
#include "kernels/cuda/row_work.h"
#include "kernels/cuda/unaligned.cuh"

namespace parity {

// The grid begins at a multiple of 16 bytes where both sides begin equally far from one, and at the
// unit's first column where they do not. Places are elements of the grid.
template <typename Format>
struct RowSpan {
  BitStream a, b;             // where the grid begins
  std::uint32_t begin, end;   // the places that are columns
  std::uint32_t zero_column;  // column of place 0, whether the row has it or not
  std::uint64_t readable;     // vectors that LoadShifted may read
  bool aligned;

  __device__ RowSpan(const RowWork& work, std::uint32_t unit) {
    const std::uint32_t local = unit - work.first_unit;
    const std::uint64_t row = local / work.segments * std::uint64_t{work.columns};
    const std::uint32_t segment = local % work.segments;
    a = BitStream::At(work.a, row * Format::kBits);
    b = BitStream::At(work.b, row * Format::kBits);
    const std::uint32_t ahead = BitsAhead(a);
    aligned = ahead == BitsAhead(b) && ahead % Format::kBits == 0;
    const std::uint32_t lead = aligned ? ahead / Format::kBits : 0;
    if (aligned) {
      a = {a.words - ahead / 32, 0};
      b = {b.words - ahead / 32, 0};
    }
    const std::uint32_t first = segment * work.segment_columns;  // of whole vectors
    a.words += std::uint64_t{first} * Format::kBits / 32;
    b.words += std::uint64_t{first} * Format::kBits / 32;
    begin = segment == 0 ? lead : 0;
    const std::uint32_t left = lead + work.columns - first;
    end = segment + 1 < work.segments ? work.segment_columns : left;
    zero_column = first - lead;
    const std::uint64_t bits = std::uint64_t{end} * Format::kBits;
    readable = min(a.ReadableVectors(bits), b.ReadableVectors(bits));
  }

  __device__ bool Holds(std::uint32_t place) const { return place >= begin && place < end; }
  __device__ std::uint32_t ColumnOf(std::uint32_t place) const { return zero_column + place; }

  // Zeros beyond the end.
  __device__ uint4 Load(const BitStream& stream, std::uint64_t vector) const {
    if (vector < readable) {
      if (aligned) return LoadStreaming(reinterpret_cast<const uint4*>(stream.words) + vector);
      return LoadShifted(stream, vector);
    }
    const std::uint64_t first = vector * 128, all = std::uint64_t{end} * Format::kBits;
    if (first >= all) return make_uint4(0, 0, 0, 0);
    return LoadPart(stream, vector,
                    static_cast<std::uint32_t>(all - first < 128 ? all - first : 128));
  }

 private:
  __device__ static std::uint32_t BitsAhead(const BitStream& stream) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(stream.words) % 16 * 8) +
           stream.shift;
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_SPAN_CUH_
