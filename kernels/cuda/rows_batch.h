// A batch of row comparisons, laid out once and run any number of times.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROWS_BATCH_H_
#define GTEST_PARITY_KERNELS_CUDA_ROWS_BATCH_H_

#include <memory>
#include <span>
#include <vector>

#include "kernels/cuda/row_launch.h"
#include "kernels/cuda/tasks.h"

namespace parity {

class RowsBatch {
 public:
  // Throws std::invalid_argument where a dtype is not floating or a row has no column.
  RowsBatch(std::span<const RowsTask> tasks, Scratch& scratch);
  // Queued: three kernels for each dtype, and one for its short rows.
  void Launch();
  // Of the last launch; waits for it.
  std::vector<std::vector<RowStats>> Read();

 private:
  std::unique_ptr<RowLaunch> Prepare(DType dtype, bool is_short, std::vector<RowWork> works);

  Scratch& scratch_;
  std::vector<std::unique_ptr<RowLaunch>> launches_;
  std::vector<std::uint64_t> first_results_, rows_;  // of each task
  std::uint64_t all_rows_ = 0;
  RowStats* results_ = nullptr;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROWS_BATCH_H_
