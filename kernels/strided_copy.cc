#include "kernels/strided_copy.h"

#include <cstring>

namespace parity {
namespace {

// Calls copy(place in the strided tensor, place in the dense one, elements) for every run of
// elements that lie side by side in both.
template <typename Copy>
void ForEachRun(const StridedLayout& layout, Copy copy) {
  std::vector<StridedLayout::Axis> outer = layout.axes;
  std::uint64_t run = 1;
  while (!outer.empty() && (outer.back().stride == run || outer.back().extent == 1)) {
    run *= outer.back().extent;
    outer.pop_back();
  }
  const std::uint64_t elements = layout.Elements();
  std::vector<std::uint64_t> at(outer.size());
  std::uint64_t place = layout.offset;
  for (std::uint64_t dense = 0; dense < elements; dense += run) {
    copy(place, dense, run);
    for (std::size_t axis = outer.size(); axis-- > 0;) {
      place += outer[axis].stride;
      if (++at[axis] < outer[axis].extent) break;
      place -= outer[axis].stride * outer[axis].extent;
      at[axis] = 0;
    }
  }
}

}  // namespace

std::uint64_t StridedLayout::Elements() const {
  std::uint64_t elements = 1;
  for (const Axis& axis : axes) elements *= axis.extent;
  return elements;
}

void Gather(const StridedLayout& layout, std::uint32_t element_bytes, const void* strided,
            void* dense) {
  const auto* from = static_cast<const unsigned char*>(strided);
  auto* to = static_cast<unsigned char*>(dense);
  ForEachRun(layout, [&](std::uint64_t place, std::uint64_t at, std::uint64_t run) {
    std::memcpy(to + at * element_bytes, from + place * element_bytes, run * element_bytes);
  });
}

void Scatter(const StridedLayout& layout, std::uint32_t element_bytes, const void* dense,
             void* strided) {
  const auto* from = static_cast<const unsigned char*>(dense);
  auto* to = static_cast<unsigned char*>(strided);
  ForEachRun(layout, [&](std::uint64_t place, std::uint64_t at, std::uint64_t run) {
    std::memcpy(to + place * element_bytes, from + at * element_bytes, run * element_bytes);
  });
}

}  // namespace parity
