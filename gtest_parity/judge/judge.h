// From evidence to outcome. Pure functions: no I/O, no clock, no GoogleTest.
#ifndef GTEST_PARITY_JUDGE_JUDGE_H_
#define GTEST_PARITY_JUDGE_JUDGE_H_

#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/evidence.h"
#include "gtest_parity/judge/verdict.h"

namespace parity {

// A tolerance of the manifest that is in force for one span's tensor.
struct AppliedTolerance {
  std::string tensor;  // empty: every tensor of the span
  std::optional<double> nrmse;
  std::optional<std::uint64_t> max_ulp;
  std::string reason, until;  // until: YYYY-MM-DD, the last day it counts
};

struct Rules {
  bool exact = true;       // `judge: {spans: exact}`, else end_to_end
  double kl_limit = 0.01;  // nats
  double spread_factor = 2;
  // Of `end_to_end`: how far apart the reference's scores of two choices may be that count as tied.
  double margin = 0;
  std::vector<AppliedTolerance> tolerances;
  std::string today;  // YYYY-MM-DD; without it no tolerance is in force
};

// The class is the worst over comparisons, outside writes and death. The outcome follows the table
// of docs/design.md, section 8. A reported difference fails even when other comparisons are
// missing; otherwise fewer distinct comparisons than expected, or one of nothing, is NOT_COMPARED.
// `end_to_end` is the verdict on the span's program; needed only when it says `judged end to end`.
Verdict JudgeSpan(const SpanEvidence& evidence, const Rules& rules,
                  const std::optional<Verdict>& end_to_end);
// Whether JudgeSpan's outcome hangs on the program's end-to-end verdict.
bool NeedsEndToEnd(const SpanEvidence& evidence, const Rules& rules);

// The nine rules of docs/design.md, section 8, first match wins; property "rule" says which it was.
// A death comes before them; "decision" (a choice that the reference's scores speak against) after
// rule 1. Between the rules that fail and those that pass stand "decision" (a choice without scores
// differs, or rows come after one that could not be forced) and "ledger" (fewer rows, finals or
// decisions than expected, or none).
Verdict JudgeEndToEnd(const EndToEndEvidence& evidence, const Rules& rules);

// FAIL where the candidate leaves the domain; PASS* if the reference does so in the same way.
Verdict JudgeDomain(const DomainEvidence& evidence);

// FAIL where the candidate's ranks hold different bytes; PASS* if the reference's ranks fall apart
// into the same groups.
Verdict JudgeReplicated(const ReplicatedEvidence& evidence);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_JUDGE_H_
