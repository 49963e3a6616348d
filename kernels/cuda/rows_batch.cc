#include "kernels/cuda/rows_batch.h"

#include <stdexcept>
#include <utility>

#include "kernels/cuda/by_dtype.h"
#include "kernels/cuda/short_rows.h"
#include "kernels/dispatch.h"

namespace parity {
namespace {

bool IsShort(const RowsTask& task) {
  return task.columns <= kShortColumns && BitsOf(task.dtype) <= 32;
}

RowWork WorkOf(const RowsTask& task, std::uint64_t first_row) {
  RowWork work;
  work.a = static_cast<const unsigned char*>(task.reference);
  work.b = static_cast<const unsigned char*>(task.candidate);
  work.rows = task.rows;
  work.columns = task.columns;
  work.first_row = static_cast<std::uint32_t>(first_row);
  return work;
}

}  // namespace

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
    for (const bool is_short : {true, false}) {
      std::vector<RowWork> works;
      for (const std::size_t i : indices) {
        if (IsShort(tasks[i]) != is_short) continue;
        first_results_[i] = next;
        if (tasks[i].rows == 0) continue;
        works.push_back(WorkOf(tasks[i], next));
        next += tasks[i].rows;
      }
      if (!works.empty()) launches_.push_back(Prepare(dtype, is_short, std::move(works)));
    }
  }
}

std::unique_ptr<RowLaunch> RowsBatch::Prepare(DType dtype, bool is_short,
                                              std::vector<RowWork> works) {
  return VisitFloatFormat(dtype, "CompareRows", [&]<typename Format>(Format) {
    if constexpr (Format::kBits <= 32) {
      if (is_short) return MakeShortRowLaunch<Format>(std::move(works), results_, scratch_);
    }
    return MakeRowLaunch<Format>(std::move(works), results_, scratch_);
  });
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
