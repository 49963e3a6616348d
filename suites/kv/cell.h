// One cell of the matrix as it came out, and what each check finds wrong with it.
#ifndef GTEST_PARITY_SUITES_KV_CELL_H_
#define GTEST_PARITY_SUITES_KV_CELL_H_

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gtest_parity/judge/judge.h"
#include "suites/kv/cell_key.h"
#include "suites/kv/continuation.h"
#include "suites/kv/lane.h"
#include "suites/kv/phases.h"

namespace parity::kv {

enum class Check {
  kRecord,        // what was saved: how much, and the same as what the reference saved
  kAccepted,      // taken up by the loader, once
  kReuse,         // and the prefill really skipped: counts, counters, ops that ran
  kContinuation,  // what follows is what follows without it
  kFiles,         // the record afterwards
};
inline constexpr std::array kAllChecks = {Check::kRecord, Check::kAccepted, Check::kReuse,
                                          Check::kContinuation, Check::kFiles};
std::string_view NameOf(Check check);  // "record"

// What went wrong. `signature` says it without numbers that a rerun may change, so that an
// exception can name it: "reuse: cached 0".
struct Finding {
  std::string signature, words;
};

struct Cell {
  const Lane* lane = nullptr;
  CellKey key;
  const Saved* saved = nullptr;
  const Saved* reference_saved = nullptr;
  const Loaded* warm = nullptr;
  const Loaded* cold = nullptr;
  const Loaded* reference_warm = nullptr;  // of the lane's own check
  const Loaded* reference_cold = nullptr;
  const RecordFormat* format = nullptr;

  // The lane declares that this cell's loader declines the record.
  bool IsDeclined() const { return lane->answer.IsRefusedIn(key); }
  // And that others take theirs up: then what the reference makes of its own is no measure.
  bool IsDeclinedAlone() const { return IsDeclined() && !lane->answer.refused_in.empty(); }
};

// How many things the check compares of a cell, and what is wrong.
struct Checked {
  std::uint64_t compared = 0;
  std::vector<Finding> findings;
  std::vector<std::pair<std::string, std::string>> properties;
  std::string unproven;  // why what holds so far is no proof; empty: it is

  void Expect(bool holds, const std::string& signature, const std::string& words);
  // What the check stands on is told by nobody. The first reason counts.
  void CannotTell(const std::string& why);
};

Checked Examine(Check check, const Cell& cell, const Rules& rules);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_CELL_H_
