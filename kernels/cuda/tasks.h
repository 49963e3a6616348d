// One element of a batch, for each question that kernels/cuda answers. All pointers are device
// memory, none need be aligned; what a question means is said by the host's header of its name.
#ifndef GTEST_PARITY_KERNELS_CUDA_TASKS_H_
#define GTEST_PARITY_KERNELS_CUDA_TASKS_H_

#include <cstdint>

#include "kernels/decisions.h"
#include "kernels/domain.h"
#include "kernels/dtype.h"
#include "kernels/poison.h"
#include "kernels/strided_copy.h"

namespace parity {

// kernels/elements.h. Elements [first, first + count) of both, index 0 of the result at `first`.
struct ElementsTask {
  DType dtype = DType::kBytes;
  const void* reference = nullptr;
  const void* candidate = nullptr;
  std::uint64_t count = 0, first = 0;
};

// kernels/changed.h.
struct ChangedTask {
  const void* a = nullptr;
  const void* b = nullptr;
  std::uint64_t bytes = 0;
};

// kernels/rows.h.
struct RowsTask {
  DType dtype = DType::kF32;  // floating
  std::uint32_t columns = 0;
  std::uint64_t rows = 0;
  const void* reference = nullptr;
  const void* candidate = nullptr;
};

// kernels/decisions.h; `scores.data` is device memory or null.
struct DecisionsTask {
  DType dtype = DType::kI32;
  const void* reference = nullptr;
  const void* candidate = nullptr;
  std::uint64_t count = 0;
  DecisionScores scores;
};

// UnwrittenElements of kernels/poison.h.
struct UnwrittenTask {
  DType dtype = DType::kBytes;
  const void* data1 = nullptr;
  ElementBits pattern1 = 0;
  const void* data2 = nullptr;
  ElementBits pattern2 = 0;
  std::uint64_t count = 0, first = 0;
};

// kernels/domain.h.
struct DomainTask {
  DType dtype = DType::kBytes;
  const void* data = nullptr;
  std::uint64_t count = 0;
  ValueRange range;
};

// FillPoison of kernels/poison.h.
struct FillTask {
  DType dtype = DType::kBytes;
  ElementBits pattern = 0;
  void* data = nullptr;
  std::uint64_t count = 0;
};

// `bytes` bytes that do not overlap; between two tasks neither.
struct CopyTask {
  const void* from = nullptr;
  void* to = nullptr;
  std::uint64_t bytes = 0;
};

// kernels/convert.h.
struct ConvertTask {
  DType from = DType::kF32;
  const void* in = nullptr;
  DType to = DType::kF32;
  void* out = nullptr;
  std::uint64_t count = 0;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_TASKS_H_
