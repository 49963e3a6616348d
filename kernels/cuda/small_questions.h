// What CudaKernels asks besides elements, changed and rows; a function for each of its methods.
#ifndef GTEST_PARITY_KERNELS_CUDA_SMALL_QUESTIONS_H_
#define GTEST_PARITY_KERNELS_CUDA_SMALL_QUESTIONS_H_

#include <span>
#include <vector>

#include "kernels/convert.h"
#include "kernels/cuda/scratch.h"
#include "kernels/cuda/tasks.h"
#include "kernels/decisions.h"
#include "kernels/digest.h"
#include "kernels/domain.h"
#include "kernels/poison.h"

namespace parity {

std::vector<Digest> Digests(std::span<const DigestTask> tasks, Scratch& scratch);
std::vector<OutsideRange> Outside(std::span<const DomainTask> tasks, Scratch& scratch);
std::vector<std::vector<ElementRun>> Unwritten(std::span<const UnwrittenTask> tasks,
                                               Scratch& scratch);
std::vector<DecisionStats> Decisions(std::span<const DecisionsTask> tasks, Scratch& scratch);
std::vector<Inexact> Converted(std::span<const ConvertTask> tasks, Scratch& scratch);
void Fill(std::span<const FillTask> tasks, Scratch& scratch);
void Copy(std::span<const CopyTask> tasks, Scratch& scratch);
// `gather`: from `strided` to `dense`, else back.
void CopyStrided(const StridedLayout& layout, std::uint32_t element_bytes, void* strided,
                 void* dense, bool gather, Scratch& scratch);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_SMALL_QUESTIONS_H_
