// Comparing what a batch has of one format, on the device.
#ifndef GTEST_PARITY_KERNELS_CUDA_ELEMENT_LAUNCH_H_
#define GTEST_PARITY_KERNELS_CUDA_ELEMENT_LAUNCH_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/cuda/element_work.h"
#include "kernels/cuda/scratch.h"
#include "kernels/elements.h"

namespace parity {

class ElementLaunch {
 public:
  virtual ~ElementLaunch() = default;
  // Once or again: results only depend on the bytes compared.
  virtual void Launch() = 0;
};

// Lays out `works`, which it cuts, in `scratch`, on which it depends from then on. Defined for
// every format and Opaque.
template <typename Format>
std::unique_ptr<ElementLaunch> MakeElementLaunch(std::vector<ElementWork> works,
                                                 ElementStats* results, Scratch& scratch);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ELEMENT_LAUNCH_H_
