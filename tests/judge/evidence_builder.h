// Evidence for the judge's tests, one fact at a time.
#ifndef GTEST_PARITY_TESTS_JUDGE_EVIDENCE_BUILDER_H_
#define GTEST_PARITY_TESTS_JUDGE_EVIDENCE_BUILDER_H_

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gtest_parity/judge/judge.h"

namespace parity::testing {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

inline ElementStats Same(std::uint64_t compared = 64) {
  ElementStats stats;
  stats.compared = compared;
  stats.sum_aa = stats.sum_bb = stats.sum_ab = 1;
  return stats;
}

// One element is off by `max_abs`; the reference's sum of squares is 1, so that nrmse is as given.
inline ElementStats Off(double nrmse, double max_abs, std::uint64_t ulp = 4,
                        std::uint64_t index = 5) {
  ElementStats stats = Same();
  stats.different = 1;
  stats.max_abs = max_abs;
  stats.max_ulp = ulp;
  stats.first_index = stats.worst_index = index;
  stats.sum_dd = nrmse * nrmse;
  return stats;
}

inline Spread ExactSpread() { return {.measured = true, .exact = true, .pairs = 3}; }
inline Spread Hybrid(double nrmse, double max_abs) {
  return {.measured = true, .exact = false, .nrmse = nrmse, .max_abs = max_abs, .pairs = 28};
}

inline TensorComparison Comparison(ElementStats stats, int rank = 0,
                                   std::string run = "b1/decode#0", std::string tensor = "attn") {
  TensorComparison comparison;
  comparison.rank = rank;
  comparison.run = std::move(run);
  comparison.tensor = std::move(tensor);
  comparison.dtype = DType::kF32;
  comparison.shape = {4, 16};
  comparison.stats = stats;
  comparison.spread = ExactSpread();
  return comparison;
}

inline SpanEvidence Span(std::vector<TensorComparison> comparisons) {
  SpanEvidence evidence;
  evidence.program = "decode";
  evidence.span = "decode_layer0_attention";
  evidence.label = "layer0.attention";
  evidence.expected = comparisons.size();
  evidence.comparisons = std::move(comparisons);
  return evidence;
}

inline Rules Exact() {
  Rules rules;
  rules.today = "2030-06-15";
  return rules;
}
inline Rules EndToEnd() {
  Rules rules = Exact();
  rules.exact = false;
  return rules;
}

inline TensorComparison With(TensorComparison comparison,
                             const std::function<void(TensorComparison&)>& change) {
  change(comparison);
  return comparison;
}

inline SpanEvidence SpanOf(ElementStats stats) { return Span({Comparison(stats)}); }

inline SpanEvidence HybridSpan(ElementStats stats) {
  return Span({With(Comparison(stats), [](auto& c) { c.spread = Hybrid(0.01, 0.5); })});
}

inline ElementStats SignedZero() {
  ElementStats stats = Off(0, 0, 0);
  stats.signed_zero = 1;
  return stats;
}

inline ElementStats NanPayload() {
  ElementStats stats = Off(0, 0, 0);
  stats.nan_payload = 1;
  return stats;
}

inline ElementStats NanOnly(bool candidate) {
  ElementStats stats = Off(0.001, 0.001);
  (candidate ? stats.nan_only_candidate : stats.nan_only_reference) = 1;
  ++stats.different;
  return stats;
}

inline ElementStats Infinite(std::uint64_t ElementStats::*whose) {
  ElementStats stats = Off(0.001, 0.001);
  stats.*whose = 1;
  ++stats.different;
  return stats;
}

inline Rules Waiving(Rules rules, std::optional<double> nrmse, std::optional<std::uint64_t> ulp,
                     std::string until = "2030-12-31", std::string tensor = "attn") {
  rules.tolerances = {{tensor, nrmse, ulp, "vendor kernel", until}};
  return rules;
}

inline Verdict Whole(Outcome outcome, std::string summary = "logits") {
  Verdict verdict;
  verdict.outcome = outcome;
  verdict.summary = std::move(summary);
  return verdict;
}

inline Death Died(Death::Cause cause, std::string what) {
  return {.cause = cause,
          .what = std::move(what),
          .ranks = {1},
          .run = "b1/decode#3",
          .op = "layer0.attention"};
}

inline RowStats Row(double kl, bool flip = false) {
  RowStats row;
  row.argmax_reference = 5;
  row.argmax_candidate = flip ? 7 : 5;
  row.margin = 0.25;
  row.kl = row.kl_reverse = kl;
  row.rank = flip ? 2 : 1;
  row.top_overlap = 20;
  row.identical = kl == 0 && !flip;
  return row;
}

inline RowsComparison Rows(std::vector<RowStats> rows, int rank = 0,
                           std::string run = "b1/decode#0") {
  return {.rank = rank, .run = std::move(run), .tensor = "logits", .rows = std::move(rows)};
}

inline FinalComparison Final(ElementStats stats, std::string tensor = "next_token", int rank = 0,
                             std::string run = "b1/decode#0") {
  FinalComparison final;
  final.rank = rank;
  final.run = std::move(run);
  final.tensor = std::move(tensor);
  final.dtype = DType::kI32;
  final.stats = stats;
  return final;
}

// A changed program of one run: two rows and one output; the reference repeats bit for bit.
inline EndToEndEvidence Program(FreeRunEvidence candidate) {
  EndToEndEvidence evidence;
  evidence.program = "decode";
  evidence.changed = true;
  evidence.expected_rows = 2;
  evidence.expected_finals = 1;
  evidence.runs_driven = 1;
  evidence.candidate = std::move(candidate);
  evidence.reference = {{{Rows({Row(0), Row(0)})}, {Final(Same())}},
                        {{Rows({Row(0), Row(0)})}, {Final(Same())}}};
  return evidence;
}

// The reference differs from itself by this much, in each of two repeats.
inline void MakeNoisy(EndToEndEvidence& evidence, double kl, bool flip = false) {
  for (FreeRunEvidence& repeat : evidence.reference) {
    repeat.rows = {Rows({Row(kl, flip), Row(0)})};
  }
}

inline std::string Property(const Verdict& verdict, std::string_view key) {
  const std::string* value = FindProperty(verdict, key);
  return value == nullptr ? "(none)" : *value;
}

inline std::string AllFindings(const Verdict& verdict) {
  std::string text;
  for (const std::string& finding : verdict.findings) text += finding + "\n";
  return text;
}

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_JUDGE_EVIDENCE_BUILDER_H_
