// A batch of element comparisons, laid out once and run any number of times.
#ifndef GTEST_PARITY_KERNELS_CUDA_ELEMENTS_BATCH_H_
#define GTEST_PARITY_KERNELS_CUDA_ELEMENTS_BATCH_H_

#include <memory>
#include <span>
#include <vector>

#include "kernels/cuda/element_launch.h"
#include "kernels/cuda/tasks.h"

namespace parity {

class ElementsBatch {
 public:
  // Throws std::invalid_argument for a number that is not a DType. `scratch` is this object's until
  // its next Begin.
  ElementsBatch(std::span<const ElementsTask> tasks, Scratch& scratch);
  // Queued: two kernels for each dtype.
  void Launch();
  // Of the last launch; waits for it. One for each task.
  std::vector<ElementStats> Read();

 private:
  Scratch& scratch_;
  std::vector<std::unique_ptr<ElementLaunch>> launches_;
  std::vector<std::size_t> task_of_result_;
  std::size_t tasks_;
  ElementStats* results_ = nullptr;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ELEMENTS_BATCH_H_
