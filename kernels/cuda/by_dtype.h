// A batch's tasks, sorted by dtype: one launch each.
#ifndef GTEST_PARITY_KERNELS_CUDA_BY_DTYPE_H_
#define GTEST_PARITY_KERNELS_CUDA_BY_DTYPE_H_

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "kernels/dtype.h"

namespace parity {

// Indices of the tasks of each dtype; bool counts as u8.
template <typename Task>
std::map<DType, std::vector<std::size_t>> ByDType(std::span<const Task> tasks) {
  std::map<DType, std::vector<std::size_t>> sorted;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    sorted[tasks[i].dtype == DType::kBool ? DType::kU8 : tasks[i].dtype].push_back(i);
  }
  return sorted;
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_BY_DTYPE_H_
