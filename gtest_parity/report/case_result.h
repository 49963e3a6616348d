// What is told about one test case.
#ifndef GTEST_PARITY_REPORT_CASE_RESULT_H_
#define GTEST_PARITY_REPORT_CASE_RESULT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/judge/verdict.h"

namespace parity {

using Properties = std::vector<std::pair<std::string, std::string>>;

// Value of the property `sides` of a case whose engines ran in the judge's own process.
inline constexpr const char* kInProcess = "in process: not evidence";

struct CaseResult {
  std::string suite;  // "paged_vs_fused/SpanParity"
  std::string test;   // "Matches/decode_layer0_attention"
  Outcome outcome =
      Outcome::kNotCompared;  // of the case; the verdict's, unless it never came to one
  Verdict verdict;
  double seconds = 0;
  std::string started;         // ISO 8601, UTC
  std::string repeat_command;  // one command that repeats the case
  Properties properties;       // seed, ...; of a BLOCKED case: `needs`
  std::string output_tail;     // the end of what the host printed

  std::string FullName() const { return suite + "." + test; }
};

// The case's properties in the order to tell them, each key once: outcome, class, repeats, the
// verdict's others, the case's own, repeat_command.
Properties AllProperties(const CaseResult& result);

// Keys in the order of the struct. Infinities and NaN are the strings "inf", "-inf", "nan"; empty
// optionals are left out.
nlohmann::ordered_json ToJson(const CaseResult& result);

// The inverse. Throws ReportError that names the key, what was found and what was expected (an
// unknown outcome or class, another type, a missing key).
CaseResult CaseResultFromJson(const nlohmann::ordered_json& json);

// One line without a newline; bytes that are not UTF-8 become U+FFFD.
std::string JsonLine(const nlohmann::ordered_json& json);

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_CASE_RESULT_H_
