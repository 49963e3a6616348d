#include "kernels/cuda/cuda_kernels.h"

#include "kernels/cuda/changed_batch.h"
#include "kernels/cuda/elements_batch.h"
#include "kernels/cuda/rows_batch.h"
#include "kernels/cuda/scratch.h"
#include "kernels/cuda/small_questions.h"

namespace parity {

class CudaKernels::Impl {
 public:
  explicit Impl(CudaStream stream) : scratch_(stream) {}
  // For one call.
  Scratch& Begin() {
    scratch_.Begin();
    return scratch_;
  }

 private:
  Scratch scratch_;
};

CudaKernels::CudaKernels(CudaStream stream) : impl_(std::make_unique<Impl>(stream)) {}
CudaKernels::~CudaKernels() = default;

std::vector<ElementStats> CudaKernels::CompareElements(std::span<const ElementsTask> tasks) {
  if (tasks.empty()) return {};
  ElementsBatch batch(tasks, impl_->Begin());
  batch.Launch();
  return batch.Read();
}

std::vector<std::vector<std::uint64_t>> CudaKernels::ChangedBlocks(
    std::span<const ChangedTask> tasks) {
  if (tasks.empty()) return {};
  ChangedBatch batch(tasks, ChangedBatch::Ask::kBitmap, impl_->Begin());
  batch.Launch();
  return batch.ReadBitmaps();
}

std::vector<std::uint8_t> CudaKernels::Differ(std::span<const ChangedTask> tasks) {
  if (tasks.empty()) return {};
  ChangedBatch batch(tasks, ChangedBatch::Ask::kAny, impl_->Begin());
  batch.Launch();
  return batch.ReadAny();
}

std::vector<std::vector<RowStats>> CudaKernels::CompareRows(std::span<const RowsTask> tasks) {
  if (tasks.empty()) return {};
  RowsBatch batch(tasks, impl_->Begin());
  batch.Launch();
  return batch.Read();
}

std::vector<DecisionStats> CudaKernels::CompareDecisions(std::span<const DecisionsTask> tasks) {
  return Decisions(tasks, impl_->Begin());
}

std::vector<std::vector<ElementRun>> CudaKernels::UnwrittenElements(
    std::span<const UnwrittenTask> tasks) {
  return Unwritten(tasks, impl_->Begin());
}

std::vector<OutsideRange> CudaKernels::CountOutside(std::span<const DomainTask> tasks) {
  return Outside(tasks, impl_->Begin());
}

std::vector<Digest> CudaKernels::DigestOf(std::span<const DigestTask> tasks) {
  return Digests(tasks, impl_->Begin());
}

std::vector<Inexact> CudaKernels::Convert(std::span<const ConvertTask> tasks) {
  return Converted(tasks, impl_->Begin());
}

void CudaKernels::FillPoison(std::span<const FillTask> tasks) { Fill(tasks, impl_->Begin()); }

void CudaKernels::CopyBytes(std::span<const CopyTask> tasks) { Copy(tasks, impl_->Begin()); }

void CudaKernels::Gather(const StridedLayout& layout, std::uint32_t element_bytes,
                         const void* strided, void* dense) {
  CopyStrided(layout, element_bytes, const_cast<void*>(strided), dense, true, impl_->Begin());
}

void CudaKernels::Scatter(const StridedLayout& layout, std::uint32_t element_bytes,
                          const void* dense, void* strided) {
  CopyStrided(layout, element_bytes, strided, const_cast<void*>(dense), false, impl_->Begin());
}

void CudaKernels::Wait() { impl_->Begin().Wait(); }

}  // namespace parity
