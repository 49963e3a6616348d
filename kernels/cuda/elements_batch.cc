#include "kernels/cuda/elements_batch.h"

#include <map>
#include <utility>

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

}  // namespace

ElementsBatch::ElementsBatch(std::span<const ElementsTask> tasks, Scratch& scratch)
    : scratch_(scratch), tasks_(tasks.size()) {
  std::map<DType, std::vector<ElementWork>> by_dtype;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    ElementWork work = WorkOf(tasks[i]);
    if (work.count == 0) continue;
    work.result = static_cast<std::uint32_t>(task_of_result_.size());
    task_of_result_.push_back(i);
    by_dtype[tasks[i].dtype == DType::kBool ? DType::kU8 : tasks[i].dtype].push_back(work);
  }
  results_ = scratch.Allocate<ElementStats>(task_of_result_.size());
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
