#include "tests/selfproof/reference_rows.h"

namespace parity::testing {
namespace {

SuiteArguments Arguments(const std::string& reference, const std::string& candidate,
                         const std::string& filter, std::vector<std::string> more = {}) {
  return {.manifest = "manifests/tiny/paged_vs_ported.yaml",
          .ranks = 2,
          .filter = filter,
          .candidate = candidate,
          .reference = "{\"name\": \"" + reference + "\"}",
          .more = std::move(more)};
}

std::set<std::string> Spans(const std::vector<std::string>& slugs) {
  std::set<std::string> names;
  for (const std::string& slug : slugs) names.insert("SpanParity/" + slug);
  return names;
}

// The query projections of layer 1: of the ops that add up in another order each time.
const std::vector<std::string> kQ = {"prefill_layer1_q", "decode_layer1_q"};
const char kQFilter[] = "*Preflight*:*_layer1_q";

// Runs of one sequence: of a batch of three, the longest prompt's last chunk is one.
const std::vector<std::string> kOneSequence = {"b1_", "b3_page_edge/prefill#3"};

// One ulp off where only batches of several sequences are noisy.
ReferenceRow Batched(const std::string& name, const std::string& test,
                     std::vector<std::string> more, SpanClass span_class, Outcome outcome,
                     bool exact) {
  const bool fails = outcome == Outcome::kFail;
  ReferenceRow row{"noisy_batched, ulp" + name,
                   "BatchedAndAnUlp" + test,
                   Arguments("noisy_batched", R"({"name": "ulp"})", kQFilter, std::move(more)),
                   kQ,
                   span_class,
                   outcome,
                   exact,
                   {0, 1},
                   kOneSequence,
                   {}};
  if (fails) row.red = Spans(kQ);
  return row;
}

// A wrong rank 1 in the buffer that is noisy on rank 0.
ReferenceRow Rank0(const std::string& name, const std::string& test, const std::string& mutant) {
  return {
      "noisy_rank0, " + name,
      "Rank0And" + test,
      Arguments("noisy_rank0",
                "{\"name\": \"" + mutant + "\", \"label\": \"layer1.q\", \"rank\": 1}", kQFilter),
      kQ,
      SpanClass::kDifferent,
      Outcome::kFail,
      false,
      {1},
      {"b"},
      Spans(kQ)};
}

ReferenceRow Layer0() {
  const std::vector<std::string> wrong = {"prefill_layer1_gate", "decode_layer1_gate"};
  return {"noisy_layer0, drift in layer 1",
          "Layer0AndDriftInLayer1",
          Arguments("noisy_layer0", R"({"name": "drift", "layer": 1})",
                    "*Preflight*:*_layer0_*:*_layer1_*"),
          wrong,
          SpanClass::kDifferent,
          Outcome::kFail,
          true,
          {0, 1},
          {"b"},
          Spans(wrong)};
}

std::vector<ReferenceRow> MakeRows() {
  return {
      Batched("", "", {}, SpanClass::kDifferent, Outcome::kFail, false),
      Batched(", batch 1", "OfBatch1", {"--parity_run=b1_"}, SpanClass::kDifferent, Outcome::kFail,
              true),
      Batched(", batch 3", "OfBatch3", {"--parity_run=b3_chunk_edge/"}, SpanClass::kWithinSpread,
              Outcome::kPass, false),
      Rank0("9/8 on rank 1", "NineEighthsOnRank1", "wrong_rank1"),
      Rank0("ulp on rank 1", "AnUlpOnRank1", "ulp"),
      Layer0(),
  };
}

}  // namespace

void PrintTo(const ReferenceRow& row, std::ostream* out) { *out << row.name; }

std::span<const ReferenceRow> ReferenceRows() {
  static const std::vector<ReferenceRow> rows = MakeRows();
  return rows;
}

}  // namespace parity::testing
