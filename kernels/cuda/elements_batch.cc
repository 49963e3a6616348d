#include "kernels/cuda/elements_batch.h"

#include <map>
#include <utility>

#include "kernels/cuda/joint_counts.h"
#include "kernels/dispatch.h"

namespace parity {
namespace {

ElementWork WorkOf(const ElementsTask& task) {
  ElementWork work;
  const std::uint64_t bits = task.first * BitsOf(task.dtype);
  work.a = BitStream::At(task.reference, bits);
  work.b = BitStream::At(task.candidate, bits);
  work.count = task.count;
  return work;
}

std::unique_ptr<ElementLaunch> Prepare(DType dtype, std::vector<ElementWork> works,
                                       ElementStats* results, Scratch& scratch) {
  if (dtype == DType::kBytes) return MakeElementLaunch<Opaque>(std::move(works), results, scratch);
  return VisitNumericFormat(dtype, "CompareElements", [&]<typename Format>(Format) {
    return MakeElementLaunch<Format>(std::move(works), results, scratch);
  });
}

// 8-bit numbers, where there are enough of them.
std::unique_ptr<ElementLaunch> PrepareJoint(DType dtype, const ElementWork& work,
                                            ElementStats* results, Scratch& scratch) {
  if (work.count < kJointElements) return nullptr;
  switch (dtype) {
    case DType::kE4M3:
      return MakeJointLaunch<E4M3>(work, results, scratch);
    case DType::kE5M2:
      return MakeJointLaunch<E5M2>(work, results, scratch);
    case DType::kI8:
      return MakeJointLaunch<IntegerFormat<std::int8_t>>(work, results, scratch);
    case DType::kU8:
    case DType::kBool:
      return MakeJointLaunch<IntegerFormat<std::uint8_t>>(work, results, scratch);
    default:
      return nullptr;
  }
}

}  // namespace

ElementsBatch::ElementsBatch(std::span<const ElementsTask> tasks, Scratch& scratch)
    : scratch_(scratch), tasks_(tasks.size()) {
  std::map<DType, std::vector<ElementWork>> by_dtype;
  results_ = scratch.Allocate<ElementStats>(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    ElementWork work = WorkOf(tasks[i]);
    if (work.count == 0) continue;
    work.result = static_cast<std::uint32_t>(task_of_result_.size());
    task_of_result_.push_back(i);
    if (auto launch = PrepareJoint(tasks[i].dtype, work, results_, scratch)) {
      launches_.push_back(std::move(launch));
      continue;
    }
    by_dtype[tasks[i].dtype == DType::kBool ? DType::kU8 : tasks[i].dtype].push_back(work);
  }
  for (auto& [dtype, works] : by_dtype) {
    launches_.push_back(Prepare(dtype, std::move(works), results_, scratch));
  }
}

void ElementsBatch::Launch() {
  for (const auto& launch : launches_) launch->Launch();
}

std::vector<ElementStats> ElementsBatch::Read() {
  std::vector<ElementStats> results(tasks_);
  const auto found = scratch_.Download(results_, task_of_result_.size());
  for (std::size_t i = 0; i < found.size(); ++i) results[task_of_result_[i]] = found[i];
  return results;
}

}  // namespace parity
