#include "kernels/cuda/rows_batch.h"

#include <stdexcept>
#include <utility>

#include "kernels/cuda/by_dtype.h"
#include "kernels/dispatch.h"

namespace parity {

RowsBatch::RowsBatch(std::span<const RowsTask> tasks, Scratch& scratch)
    : scratch_(scratch), first_results_(tasks.size()) {
  for (const RowsTask& task : tasks) {
    VisitFloatFormat(task.dtype, "CompareRows", [](auto) {});
    if (task.columns == 0) {
      throw std::invalid_argument("CompareRows: expected at least 1 column, got 0");
    }
    rows_.push_back(task.rows);
    all_rows_ += task.rows;
  }
  if (all_rows_ >= 0xffff0000u) {
    throw std::invalid_argument("CompareRows: a batch of too many rows, over 2^32");
  }
  results_ = scratch.Allocate<RowStats>(all_rows_);
  std::uint64_t next = 0;
  for (const auto& [dtype, indices] : ByDType(tasks)) {
    std::vector<RowWork> works;
    for (const std::size_t i : indices) {
      first_results_[i] = next;
      if (tasks[i].rows == 0) continue;
      RowWork work;
      work.a = static_cast<const unsigned char*>(tasks[i].reference);
      work.b = static_cast<const unsigned char*>(tasks[i].candidate);
      work.rows = tasks[i].rows;
      work.columns = tasks[i].columns;
      work.first_row = static_cast<std::uint32_t>(next);
      works.push_back(work);
      next += work.rows;
    }
    if (works.empty()) continue;
    VisitFloatFormat(dtype, "CompareRows", [&]<typename Format>(Format) {
      launches_.push_back(MakeRowLaunch<Format>(std::move(works), results_, scratch));
    });
  }
}

void RowsBatch::Launch() {
  for (const auto& launch : launches_) launch->Launch();
}

std::vector<std::vector<RowStats>> RowsBatch::Read() {
  const auto all = scratch_.Download(results_, all_rows_);
  std::vector<std::vector<RowStats>> results;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first_results_[i]);
    results.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(rows_[i]));
  }
  return results;
}

}  // namespace parity
