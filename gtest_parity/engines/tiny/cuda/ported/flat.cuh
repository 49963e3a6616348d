// Work that is one element like another: threads over the whole array.
#ifndef GTEST_PARITY_ENGINES_TINY_CUDA_PORTED_FLAT_CUH_
#define GTEST_PARITY_ENGINES_TINY_CUDA_PORTED_FLAT_CUH_

#include "gtest_parity/engines/tiny/cuda/check.h"
#include "gtest_parity/engines/tiny/cuda/cuda_backend.h"

namespace parity::tiny::cuda::ported {

template <typename Element>
__global__ void ForEachKernel(std::uint64_t count, Element element) {
  const std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x;
  if (i < count) element(i);
}

// element(i) on the device for i of [0, count), in any order.
template <typename Element>
void ForEach(const OpArgs& args, const char* op, std::uint64_t count, Element element) {
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>((count + 255) / 256);
  ForEachKernel<<<blocks, 256, 0, On(args).cuda_stream()>>>(count, element);
  CheckLaunch(op);
}

}  // namespace parity::tiny::cuda::ported

#endif  // GTEST_PARITY_ENGINES_TINY_CUDA_PORTED_FLAT_CUH_
