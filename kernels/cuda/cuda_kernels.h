// The instruments on a CUDA device: the host's questions, asked where the bytes are. Integers,
// maxima, indices and sums come out as the host's, bit for bit; the divergences of rows to a
// relative 2e-6, and to 2e-7 nats where logits move far (kernels/divergence.h).
//
// A method takes a batch: tasks of any sizes and dtypes, at a cost that follows their bytes, with
// one launch per kind of element and one wait, not one for each task. An empty batch costs nothing.
#ifndef GTEST_PARITY_KERNELS_CUDA_CUDA_KERNELS_H_
#define GTEST_PARITY_KERNELS_CUDA_CUDA_KERNELS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/changed.h"
#include "kernels/convert.h"
#include "kernels/cuda/cuda_error.h"
#include "kernels/cuda/tasks.h"
#include "kernels/decisions.h"
#include "kernels/digest.h"
#include "kernels/elements.h"
#include "kernels/poison.h"
#include "kernels/rows.h"
#include "kernels/strided_copy.h"

// cudaStream_t, without its header.
struct CUstream_st;

namespace parity {

using CudaStream = CUstream_st*;

// Works on the device that is current when it is made and when a method is called, in order with
// all else on `stream`, which outlives it. One thread at a time. Methods that return something wait
// for it; those that return nothing are only queued. All throw CudaError, and std::invalid_argument
// as the host's functions do, before anything is launched.
class CudaKernels {
 public:
  explicit CudaKernels(CudaStream stream);
  ~CudaKernels();
  CudaKernels(const CudaKernels&) = delete;
  CudaKernels& operator=(const CudaKernels&) = delete;

  std::vector<ElementStats> CompareElements(std::span<const ElementsTask> tasks);
  // A bitmap for each task.
  std::vector<std::vector<std::uint64_t>> ChangedBlocks(std::span<const ChangedTask> tasks);
  // For each task 1 where any byte differs, else 0.
  std::vector<std::uint8_t> Differ(std::span<const ChangedTask> tasks);
  // As many as it has rows, for each task.
  std::vector<std::vector<RowStats>> CompareRows(std::span<const RowsTask> tasks);
  std::vector<DecisionStats> CompareDecisions(std::span<const DecisionsTask> tasks);
  std::vector<std::vector<ElementRun>> UnwrittenElements(std::span<const UnwrittenTask> tasks);
  std::vector<OutsideRange> CountOutside(std::span<const DomainTask> tasks);
  std::vector<Digest> DigestOf(std::span<const DigestTask> tasks);
  std::vector<Inexact> Convert(std::span<const ConvertTask> tasks);

  void FillPoison(std::span<const FillTask> tasks);
  void CopyBytes(std::span<const CopyTask> tasks);
  // At most kMaxAxes axes are left once those that lie end to end are joined; else
  // std::invalid_argument.
  void Gather(const StridedLayout& layout, std::uint32_t element_bytes, const void* strided,
              void* dense);
  void Scatter(const StridedLayout& layout, std::uint32_t element_bytes, const void* dense,
               void* strided);
  static constexpr std::uint32_t kMaxAxes = 8;

  // Until everything queued on the stream is done.
  void Wait();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_CUDA_KERNELS_H_
