// Comparing what a batch has of rows of one format, on the device.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_LAUNCH_H_
#define GTEST_PARITY_KERNELS_CUDA_ROW_LAUNCH_H_

#include <memory>
#include <vector>

#include "kernels/cuda/row_work.h"
#include "kernels/cuda/scratch.h"

namespace parity {

class RowLaunch {
 public:
  virtual ~RowLaunch() = default;
  virtual void Launch() = 0;
};

// Lays out `works`, which it cuts, in `scratch`, on which it depends from then on; results go to
// `results`, each work's from its first_row on. Defined for every floating format.
template <typename Format>
std::unique_ptr<RowLaunch> MakeRowLaunch(std::vector<RowWork> works, RowStats* results,
                                         Scratch& scratch);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_LAUNCH_H_
