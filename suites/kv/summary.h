// The matrix of a run as a person reads it: lanes by cells, damaged records by what became of them.
#ifndef GTEST_PARITY_SUITES_KV_SUMMARY_H_
#define GTEST_PARITY_SUITES_KV_SUMMARY_H_

#include <array>
#include <string>
#include <vector>

#include "gtest_parity/judge/verdict.h"
#include "suites/kv/cell.h"
#include "suites/kv/damage.h"

namespace parity::kv {

using CellOutcomes = std::array<Outcome, kAllChecks.size()>;  // by check

struct LaneRow {
  std::string lane;
  std::array<CellOutcomes, kAllCells.size()> cells;
  // Where the lane declares that the record is declined, which is what passes there.
  std::array<bool, kAllCells.size()> declined = {};
};

struct DamageRow {
  std::string lane;
  const std::vector<Damaged>* all = nullptr;
};

struct StoreRow {
  std::string oracle;
  Outcome outcome = Outcome::kNotCompared;
  std::string summary;
};

// "PASS" where every check passes, "PASS*" where one does so by an exception, else the first other
// outcome and its checks: "FAIL reuse, files".
std::string CellText(const CellOutcomes& checks);

// Three tables under one another; one without rows is left out. A damaged record is counted once:
// as refused, missed (cached 0, nothing said), unharmed (taken up, and answered as without it),
// shared risk (taken up by both, and answered otherwise) or apart (not alike, not loaded, or the
// end of a process).
std::string SummaryText(const std::string& name, const std::vector<LaneRow>& lanes,
                        const std::vector<DamageRow>& damages, const std::vector<StoreRow>& stores);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_SUMMARY_H_
