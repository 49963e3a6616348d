// What each wrong engine must come to: the data that mutants_test.cc runs.
#ifndef GTEST_PARITY_TESTS_SELFPROOF_MUTANT_ROWS_H_
#define GTEST_PARITY_TESTS_SELFPROOF_MUTANT_ROWS_H_

#include <map>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "gtest_parity/judge/outcome.h"

namespace parity::testing {

enum class Mode {
  kExact,     // the port, judged span by span
  kEndToEnd,  // the port, judged by its logits
  kFused,     // the kernel swap, judged by its logits; spans differ without a mutant
};
const char* NameOf(Mode mode);
const char* ManifestOf(Mode mode);

// "FAIL 2": outcome and rule of a program's end-to-end verdict; "not PASS": anything else.
using EndToEndByProgram = std::map<std::string, std::string>;

struct MutantRow {
  std::string name;
  SpanClass span_class;
  // The spans that it makes worse, as slugs of SpanParity cases: of the port, of the kernel swap.
  std::vector<std::string> spans, fused_spans;
  EndToEndByProgram exact, end_to_end, fused;
  std::vector<std::string> words = {};  // in the first finding of each of those spans
  std::set<int> ranks = {0, 1};         // that their findings name
  std::set<std::string> runs = {};      // that their findings name; empty: not asked
  std::set<std::string> red = {};       // cases besides spans and end to end
  bool dies = false;                    // in the free run too, so that nothing is known of it
  std::string options = {};             // besides the name: ", \"rank\": 1"
  std::string fused_options = {};       // the same, besides `options`, for the kernel swap
  double deadline_seconds = 120;
};

void PrintTo(const MutantRow& row, std::ostream* out);

std::span<const MutantRow> MutantRows();

const EndToEndByProgram& EndToEndOf(const MutantRow& row, Mode mode);
const std::vector<std::string>& SpansOf(const MutantRow& row, Mode mode);
// The mutant's configuration as JSON.
std::string MutantOf(const MutantRow& row, Mode mode);

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_SELFPROOF_MUTANT_ROWS_H_
