#include "tests/selfproof/mutant_rows.h"

namespace parity::testing {
namespace {

std::vector<std::string> InBoth(const std::string& label) {
  return {"prefill_" + label, "decode_" + label};
}

EndToEndByProgram Both(const std::string& verdict) {
  return {{"prefill", verdict}, {"decode", verdict}};
}

// The decode steps that begin a page of 16 tokens in one of their sequences.
const std::set<std::string> kCrossings = {"b1_page_edge/decode#8",  "b1_chunk_edge/decode#0",
                                          "b3_page_edge/decode#8",  "b3_page_edge/decode#9",
                                          "b3_page_edge/decode#10", "b3_chunk_edge/decode#0",
                                          "b3_chunk_edge/decode#1", "b3_chunk_edge/decode#15"};

MutantRow Value(const std::string& name, SpanClass span_class, std::vector<std::string> spans,
                std::vector<std::string> fused_spans, EndToEndByProgram exact,
                EndToEndByProgram end_to_end, EndToEndByProgram fused) {
  return {name,
          span_class,
          std::move(spans),
          std::move(fused_spans),
          std::move(exact),
          std::move(end_to_end),
          std::move(fused)};
}

// One that shows as damage of layer 1's attention.
MutantRow Damage(const std::string& name, const std::string& words, EndToEndByProgram exact,
                 EndToEndByProgram end_to_end) {
  MutantRow row = Value(name, SpanClass::kBroken, InBoth("layer1_attention"),
                        InBoth("layer1_attention"), std::move(exact), end_to_end, end_to_end);
  row.words = {words};
  return row;
}

// One that ends its process in layer 1's attention on rank 1. Of the kernel swap only in decode: a
// death in each program and one in the free run would be three equal ones, after which the rest is
// not run.
MutantRow Death(const std::string& name, const std::string& words) {
  MutantRow row = Damage(name, words, Both("FAIL death"), Both("FAIL death"));
  row.words.push_back("rank 1");
  row.words.push_back("op layer1.attention");
  row.fused_spans = {"decode_layer1_attention"};
  row.ranks = {1};
  row.options = ", \"rank\": 1";
  row.fused_options = ", \"program\": \"decode\"";
  row.dies = true;
  return row;
}

MutantRow Hang() {
  MutantRow row = Death("hang", "no answer within 2 s");
  row.spans = {"decode_layer1_attention"};  // each one costs the deadline
  row.options += row.fused_options;
  row.fused_options = "";
  row.deadline_seconds = 2;
  return row;
}

MutantRow StalePage() {
  const EndToEndByProgram logits = {{"prefill", "PASS 6"}, {"decode", "FAIL 3"}};
  MutantRow row = Value("stale_page", SpanClass::kDifferent, {"decode_layer0_attention"},
                        {"decode_layer0_attention"}, {{"prefill", "PASS 2"}, {"decode", "FAIL 2"}},
                        logits, logits);
  row.runs = kCrossings;
  return row;
}

MutantRow BadToken() {
  MutantRow row = Value("bad_token", SpanClass::kBroken, InBoth("next_token"), InBoth("next_token"),
                        Both("FAIL 1"), Both("FAIL 1"), Both("FAIL 1"));
  row.words = {"outside the domain [0, 1023]", "5000"};
  row.red = {"Domain/prefill_next_token", "Domain/decode_next_token"};
  return row;
}

MutantRow WrongRank1() {
  MutantRow row = Value("wrong_rank1", SpanClass::kDifferent, InBoth("layer1_attention"),
                        InBoth("layer1_attention"), Both("FAIL 2"), Both("FAIL 3"), Both("FAIL 3"));
  row.ranks = {1};
  return row;
}

std::vector<MutantRow> MakeRows() {
  const auto different = SpanClass::kDifferent;
  return {
      Value("negative_zero", SpanClass::kValueIdentical, {"prefill_rope_rows"},
            {"prefill_rope_rows"}, Both("PASS 2"), Both("PASS 6"), Both("PASS 6")),
      Value("ulp", different, InBoth("layer1_q"), InBoth("layer1_q_to_append"), Both("FAIL 2"),
            Both("PASS 6"), Both("PASS 6")),
      Value("round", different, InBoth("layer2_attention"), InBoth("layer2_attention"),
            Both("FAIL 2"), Both("PASS 6"), Both("PASS 6")),
      Value("drift", different, InBoth("layer0_gate"), InBoth("layer0_o"), Both("FAIL 2"),
            Both("not PASS"), Both("not PASS")),
      Value("rope_off_by_one", different, InBoth("layer1_rope"), InBoth("layer1_q_to_append"),
            Both("FAIL 2"), Both("FAIL 3"), Both("FAIL 3")),
      StalePage(),
      Value("flip_argmax", different, InBoth("logits"), InBoth("logits"), Both("FAIL 2"),
            Both("FAIL 3"), Both("FAIL 3")),
      Damage("nan_lane", "NaN only in the candidate", Both("FAIL 1"), Both("FAIL 1")),
      Damage("leak", "written outside what the reference writes", Both("PASS 2"), Both("PASS 6")),
      Damage("spoils_weight", "a constant was written to", Both("FAIL 2"), Both("not PASS")),
      Damage("missing_write", "not written", Both("FAIL 2"), Both("FAIL 3")),
      Damage("reads_poison", "undefined read", Both("PASS 2"), Both("PASS 6")),
      BadToken(),
      WrongRank1(),
      Death("crash", "signal SIGSEGV"),
      Death("exit0", "exit status 0"),
      Death("exit77", "exit status 77"),
      Hang(),
      Death("scribble", "signal SIGSEGV"),
  };
}

}  // namespace

const char* NameOf(Mode mode) {
  switch (mode) {
    case Mode::kExact:
      return "exact";
    case Mode::kEndToEnd:
      return "end_to_end";
    case Mode::kFused:
      return "fused";
  }
  return "";
}

const char* ManifestOf(Mode mode) {
  switch (mode) {
    case Mode::kExact:
      return "manifests/tiny/paged_vs_ported.yaml";
    case Mode::kEndToEnd:
      return "tests/selfproof/paged_vs_ported_end_to_end.yaml";
    case Mode::kFused:
      return "manifests/tiny/paged_vs_fused.yaml";
  }
  return "";
}

void PrintTo(const MutantRow& row, std::ostream* out) { *out << row.name; }

std::span<const MutantRow> MutantRows() {
  static const std::vector<MutantRow> rows = MakeRows();
  return rows;
}

const EndToEndByProgram& EndToEndOf(const MutantRow& row, Mode mode) {
  if (mode == Mode::kExact) return row.exact;
  return mode == Mode::kEndToEnd ? row.end_to_end : row.fused;
}

const std::vector<std::string>& SpansOf(const MutantRow& row, Mode mode) {
  return mode == Mode::kFused ? row.fused_spans : row.spans;
}

std::string MutantOf(const MutantRow& row, Mode mode) {
  return "{\"name\": \"" + row.name + "\"" + row.options +
         (mode == Mode::kFused ? row.fused_options : "") + "}";
}

}  // namespace parity::testing
