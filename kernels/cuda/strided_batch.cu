#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/cuda/cuda_kernels.h"
#include "kernels/cuda/small_questions.h"

namespace parity {
namespace {

constexpr std::uint32_t kThreads = 256;
constexpr std::uint32_t kMaxBlocks = 1 << 16;

// In units of 1 to 16 bytes; the last axis is the innermost.
struct Layout {
  std::uint64_t extent[CudaKernels::kMaxAxes], stride[CudaKernels::kMaxAxes];
  std::uint32_t axes = 0;
  std::uint64_t offset = 0, units = 0;
};

template <typename Unit>
__global__ void __launch_bounds__(kThreads)
    StridedKernel(const __grid_constant__ Layout layout, Unit* strided, Unit* dense, bool gather) {
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < layout.units;
       i += std::uint64_t{gridDim.x} * kThreads) {
    std::uint64_t left = i, place = layout.offset;
    for (std::uint32_t axis = layout.axes; axis-- > 0;) {
      place += left % layout.extent[axis] * layout.stride[axis];
      left /= layout.extent[axis];
    }
    if (gather) {
      dense[i] = strided[place];
    } else {
      strided[place] = dense[i];
    }
  }
}

// Joins axes that lie end to end, in bytes; the innermost is a run of bytes.
std::vector<StridedLayout::Axis> Joined(const StridedLayout& layout, std::uint64_t element_bytes) {
  std::vector<StridedLayout::Axis> joined = {{element_bytes, 1}};  // innermost first
  for (std::size_t i = layout.axes.size(); i-- > 0;) {
    const auto& axis = layout.axes[i];
    if (axis.extent == 1) continue;
    const std::uint64_t stride = axis.stride * element_bytes;
    auto& inner = joined.back();
    if (stride == inner.extent * inner.stride) {
      inner.extent *= axis.extent;
    } else {
      joined.push_back({axis.extent, stride});
    }
  }
  return joined;
}

// The largest unit of up to 16 bytes that divides every place and run.
std::uint64_t UnitOf(const std::vector<StridedLayout::Axis>& axes, std::uint64_t offset,
                     const void* strided, const void* dense) {
  std::uint64_t all = 16 | offset | axes[0].extent | reinterpret_cast<std::uintptr_t>(strided) |
                      reinterpret_cast<std::uintptr_t>(dense);
  for (std::size_t i = 1; i < axes.size(); ++i) all |= axes[i].stride;
  return all & (~all + 1);
}

template <typename Unit>
void Launch(const Layout& layout, void* strided, void* dense, bool gather, cudaStream_t stream) {
  const std::uint64_t blocks = (layout.units + kThreads - 1) / kThreads;
  StridedKernel<Unit>
      <<<static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, kMaxBlocks)), kThreads, 0,
         stream>>>(layout, static_cast<Unit*>(strided), static_cast<Unit*>(dense), gather);
  CheckLaunch("StridedKernel");
}

}  // namespace

void CopyStrided(const StridedLayout& layout, std::uint32_t element_bytes, void* strided,
                 void* dense, bool gather, Scratch& scratch) {
  const std::uint64_t bytes = layout.Elements() * element_bytes;
  if (bytes == 0) return;
  auto axes = Joined(layout, element_bytes);
  if (axes.size() > CudaKernels::kMaxAxes) {
    throw std::invalid_argument("a layout of " + std::to_string(axes.size()) +
                                " axes that do not lie end to end, expected at most " +
                                std::to_string(CudaKernels::kMaxAxes));
  }
  const std::uint64_t offset = layout.offset * element_bytes;
  const std::uint64_t unit = UnitOf(axes, offset, strided, dense);
  Layout in_units;
  axes[0].extent /= unit;
  in_units.axes = static_cast<std::uint32_t>(axes.size());
  in_units.offset = offset / unit;
  in_units.units = bytes / unit;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t at = axes.size() - 1 - i;
    in_units.extent[at] = axes[i].extent;
    in_units.stride[at] = i == 0 ? 1 : axes[i].stride / unit;
  }
  switch (unit) {
    case 1:
      return Launch<std::uint8_t>(in_units, strided, dense, gather, scratch.stream());
    case 2:
      return Launch<std::uint16_t>(in_units, strided, dense, gather, scratch.stream());
    case 4:
      return Launch<std::uint32_t>(in_units, strided, dense, gather, scratch.stream());
    case 8:
      return Launch<std::uint64_t>(in_units, strided, dense, gather, scratch.stream());
    default:
      return Launch<uint4>(in_units, strided, dense, gather, scratch.stream());
  }
}

}  // namespace parity
