// The members of what a recording holds, one table per type: what is written is what is read.
//
// Each table takes its type apart by structured binding, so that a member that is added and not
// listed here does not compile.
#ifndef GTEST_PARITY_REPLAY_FIELDS_H_
#define GTEST_PARITY_REPLAY_FIELDS_H_

#include <concepts>
#include <type_traits>
#include <utility>

#include "gtest_parity/judge/evidence.h"
#include "gtest_parity/judge/identity.h"
#include "gtest_parity/judge/spread.h"
#include "gtest_parity/replay/recording.h"

namespace parity {

// `T`, const or not.
template <typename S, typename T>
concept Either = std::same_as<std::remove_const_t<S>, T>;

// A spread and what it belongs to.
struct PooledSpread {
  SpreadKey key;
  Spread spread;
};

// How long some ops took.
struct LoggedTimes {
  TimedOps ops;
  Times times;
};

template <typename Visit, Either<LoggedTimes> S>
void Fields(Visit& visit, S& of) {
  auto& [program, lo, hi, whole] = of.ops;
  visit("program", program);
  visit("lo", lo);
  visit("hi", hi);
  visit("whole", whole);
  visit("times", of.times);
}

template <typename Visit, Either<ElementStats> S>
void Fields(Visit& visit, S& of) {
  auto& [compared, different, signed_zero, nan_payload, nan_only_reference, nan_only_candidate,
         infinity_only_reference, infinity_only_candidate, infinity_opposite, max_abs, max_rel,
         max_ulp, first_index, worst_index, ulp_histogram, sum_dd, sum_aa, sum_bb, sum_ab] = of;
  visit("compared", compared);
  visit("different", different);
  visit("signed_zero", signed_zero);
  visit("nan_payload", nan_payload);
  visit("nan_only_reference", nan_only_reference);
  visit("nan_only_candidate", nan_only_candidate);
  visit("infinity_only_reference", infinity_only_reference);
  visit("infinity_only_candidate", infinity_only_candidate);
  visit("infinity_opposite", infinity_opposite);
  visit("max_abs", max_abs);
  visit("max_rel", max_rel);
  visit("max_ulp", max_ulp);
  visit("first_index", first_index);
  visit("worst_index", worst_index);
  visit("ulp_histogram", ulp_histogram);
  visit("sum_dd", sum_dd);
  visit("sum_aa", sum_aa);
  visit("sum_bb", sum_bb);
  visit("sum_ab", sum_ab);
}

template <typename Visit, Either<RowStats> S>
void Fields(Visit& visit, S& of) {
  auto& [argmax_reference, argmax_candidate, margin, kl, kl_reverse, rank, top_overlap,
         mask_mismatch, nan_reference, nan_candidate, identical] = of;
  visit("argmax_reference", argmax_reference);
  visit("argmax_candidate", argmax_candidate);
  visit("margin", margin);
  visit("kl", kl);
  visit("kl_reverse", kl_reverse);
  visit("rank", rank);
  visit("top_overlap", top_overlap);
  visit("mask_mismatch", mask_mismatch);
  visit("nan_reference", nan_reference);
  visit("nan_candidate", nan_candidate);
  visit("identical", identical);
}

template <typename Visit, Either<DomainViolation> S>
void Fields(Visit& visit, S& of) {
  auto& [count, first_index, first_value, min, max] = of;
  visit("count", count);
  visit("first_index", first_index);
  visit("first_value", first_value);
  visit("min", min);
  visit("max", max);
}

template <typename Visit, Either<RowsComparison> S>
void Fields(Visit& visit, S& of) {
  auto& [rank, run, tensor, nonfinite_candidate_only, rows, after] = of;
  visit("rank", rank);
  visit("run", run);
  visit("tensor", tensor);
  visit("nonfinite_candidate_only", nonfinite_candidate_only);
  visit("rows", rows);
  visit("after", after);
}

template <typename Visit, Either<FinalComparison> S>
void Fields(Visit& visit, S& of) {
  auto& [rank, run, tensor, state, dtype, stats, domain, after] = of;
  visit("rank", rank);
  visit("run", run);
  visit("tensor", tensor);
  visit("state", state);
  visit("dtype", dtype);
  visit("stats", stats);
  visit("domain", domain);
  visit("after", after);
}

template <typename Visit, Either<DecisionFlip> S>
void Fields(Visit& visit, S& of) {
  auto& [index, reference, candidate, margin] = of;
  visit("index", index);
  visit("reference", reference);
  visit("candidate", candidate);
  visit("margin", margin);
}

template <typename Visit, Either<DecisionStats> S>
void Fields(Visit& visit, S& of) {
  auto& [compared, flips] = of;
  visit("compared", compared);
  visit("flips", flips);
}

// Without why it could not be forced: a reference runs as served.
template <typename Visit, Either<DecisionComparison> S>
void Fields(Visit& visit, S& of) {
  auto& [values, flips, scores, unscored, score_distance, forced, unforced] = of;
  visit("values", values);
  visit("flips", flips);
  visit("scores", scores);
  visit("unscored", unscored);
  visit("score_distance", score_distance);
  visit("forced", forced);
}

template <typename Visit, Either<FreeRunEvidence> S>
void Fields(Visit& visit, S& of) {
  auto& [rows, finals, decisions] = of;
  visit("rows", rows);
  visit("finals", finals);
  visit("decisions", decisions);
}

template <typename Visit, Either<Spread> S>
void Fields(Visit& visit, S& of) {
  auto& [measured, exact, nrmse, max_abs, pairs] = of;
  visit("measured", measured);
  visit("exact", exact);
  visit("nrmse", nrmse);
  visit("max_abs", max_abs);
  visit("pairs", pairs);
}

template <typename Visit, Either<PooledSpread> S>
void Fields(Visit& visit, S& of) {
  auto& [rank, program, span, tensor, shape] = of.key;
  visit("rank", rank);
  visit("program", program);
  visit("span", span);
  visit("tensor", tensor);
  visit("shape", shape);
  visit("spread", of.spread);
}

template <typename Visit, Either<KeptTensor> S>
void Fields(Visit& visit, S& of) {
  auto& [before, after, written, compared] = of;
  visit("before", before);
  visit("after", after);
  visit("written", written);
  visit("compared", compared);
}

template <typename Visit, Either<KeptSpan> S>
void Fields(Visit& visit, S& of) {
  auto& [run, ranks] = of;
  visit("run", run);
  visit("ranks", ranks);
}

template <typename Visit, Either<RunEnd> S>
void Fields(Visit& visit, S& of) {
  auto& [images, digests, domains, checked, states] = of;
  visit("images", images);
  visit("digests", digests);
  visit("domains", domains);
  visit("checked", checked);
  visit("states", states);
}

template <typename Visit, Either<ReferenceFault> S>
void Fields(Visit& visit, S& of) {
  auto& [span, words] = of;
  visit("span", span);
  visit("words", words);
}

template <typename Visit, Either<StageSeconds> S>
void Fields(Visit& visit, S& of) {
  auto& [load, workload, record, end_to_end] = of;
  visit("load", load);
  visit("workload", workload);
  visit("record", record);
  visit("end_to_end", end_to_end);
}

template <typename Visit, Either<ProbeComparison> S>
void Fields(Visit& visit, S& of) {
  auto& [what, rank, run, tensor, stats] = of;
  visit("what", what);
  visit("rank", rank);
  visit("run", run);
  visit("tensor", tensor);
  visit("stats", stats);
}

template <typename Visit, Either<ProbeEffect> S>
void Fields(Visit& visit, S& of) {
  auto& [what, if_none, results] = of;
  visit("what", what);
  visit("if_none", if_none);
  visit("results", results);
}

// Without a death: nothing of a reference that died is kept.
template <typename Visit, Either<ProbeEvidence> S>
void Fields(Visit& visit, S& of) {
  auto& [check, repeats, alike, effects, found, runs, death] = of;
  visit("check", check);
  visit("repeats", repeats);
  visit("alike", alike);
  visit("effects", effects);
  visit("found", found);
  visit("runs", runs);
}

template <typename Visit, Either<SpillCost> S>
void Fields(Visit& visit, S& of) {
  auto& [bytes, seconds] = of;
  visit("bytes", bytes);
  visit("seconds", seconds);
}

template <typename Visit, Either<Recording> S>
void Fields(Visit& visit, S& of) {
  auto& [spans, spreads, runs, repeats, probes, faults, not_kept, bytes, spilled, seconds, times,
         copy_rates] = of;
  visit("spans", spans);
  visit("spreads", spreads);
  visit("runs", runs);
  visit("repeats", repeats);
  visit("probes", probes);
  visit("faults", faults);
  visit("not_kept", not_kept);
  visit("bytes", bytes);
  visit("spilled", spilled);
  visit("seconds", seconds);
  visit("times", times);
  visit("copy_rates", copy_rates);
}

template <typename Visit, Either<SideIdentity> S>
void Fields(Visit& visit, S& of) {
  auto& [engine, config, mode, weights_hash, objects] = of;
  visit("engine", engine);
  visit("config", config);
  visit("mode", mode);
  visit("weights_hash", weights_hash);
  visit("objects", objects);
}

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_FIELDS_H_
