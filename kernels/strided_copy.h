// Copies between a tensor laid out by strides and the same elements laid end to end.
#ifndef GTEST_PARITY_KERNELS_STRIDED_COPY_H_
#define GTEST_PARITY_KERNELS_STRIDED_COPY_H_

#include <cstdint>
#include <vector>

namespace parity {

// A tensor in memory: element (i0, i1, ...) lies `offset` + i0 stride0 + i1 stride1 + ... elements
// from its base. No two elements share a place.
struct StridedLayout {
  struct Axis {
    std::uint64_t extent = 0, stride = 0;  // in elements
  };
  std::uint64_t offset = 0;  // in elements
  std::vector<Axis> axes;
  std::uint64_t Elements() const;
};

// dense[row-major index] = the element, and the reverse. What of `strided` the layout does not name
// is left alone. Neither pointer need be aligned.
void Gather(const StridedLayout& layout, std::uint32_t element_bytes, const void* strided,
            void* dense);
void Scatter(const StridedLayout& layout, std::uint32_t element_bytes, const void* dense,
             void* strided);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_STRIDED_COPY_H_
