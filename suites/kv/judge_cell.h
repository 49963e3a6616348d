// From what the checks of a lane found to the outcome of each of its cells.
#ifndef GTEST_PARITY_SUITES_KV_JUDGE_CELL_H_
#define GTEST_PARITY_SUITES_KV_JUDGE_CELL_H_

#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/verdict.h"
#include "suites/kv/cell.h"
#include "suites/kv/lane.h"

namespace parity::kv {

// A cell's check as it came out, or why it could not be made.
struct CellResult {
  CellKey key;
  Check check = Check::kRecord;
  Checked checked;
  // The side that was in use died, failed or could not be started; in words.
  std::string failure;
  bool failure_is_reference = false;
  std::string blocked;  // why a side of this kind cannot be put to it; empty: it can
};

// `own`: all checks of reference -> reference. Where one of them fails, that case is ERROR and
// every other cell of the lane is BLOCKED; so is a check that a side cannot be put to, or whose
// evidence a side does not tell. An exception in force whose signatures the check's
// findings all are makes it PASS*, if the lane's own check shows it too in this campaign; one that
// the lane's own check does not show any more is FAIL there. One of another payload ("record:
// payload...") is shown by candidate -> candidate instead. `today`: YYYY-MM-DD.
Verdict JudgeCell(const Lane& lane, const CellResult& result, const std::vector<CellResult>& own,
                  const std::vector<LaneException>& exceptions, const std::string& today);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_JUDGE_CELL_H_
