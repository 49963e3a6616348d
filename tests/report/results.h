// Results for the reports' tests.
#ifndef GTEST_PARITY_TESTS_REPORT_RESULTS_H_
#define GTEST_PARITY_TESTS_REPORT_RESULTS_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "gtest_parity/report/group.h"

namespace parity::testing {

// A span's case that compared four things.
inline CaseResult Result(Outcome outcome, const std::string& test = "Matches/decode_layer0",
                         const std::string& suite = "paged_vs_fused/SpanParity") {
  CaseResult result;
  result.suite = suite;
  result.test = test;
  result.outcome = result.verdict.outcome = outcome;
  result.verdict.expected = result.verdict.compared = 4;
  result.verdict.summary = "4 of 4 comparisons";
  result.seconds = 0.25;
  result.started = "2030-06-15T10:00:00Z";
  result.repeat_command = "spans --gtest_filter=" + suite + "." + test;
  result.properties = {{"seed", "24301"}};
  return result;
}

inline CaseResult Span(Outcome outcome, SpanClass span_class, bool exact,
                       const std::string& test = "Matches/decode_layer0") {
  CaseResult result = Result(outcome, test);
  result.verdict.span_class = span_class;
  result.verdict.exact = exact;
  return result;
}

inline CaseResult Whole(Outcome outcome, const std::string& kl) {
  CaseResult result = Result(outcome, "Agrees/decode", "paged_vs_fused/EndToEnd");
  SetProperty(result.verdict, "kl", kl);
  return result;
}

inline CaseResult Blocked(const std::string& need, const std::string& test = "Matches/x") {
  CaseResult result = Result(Outcome::kBlocked, test);
  result.verdict.compared = 0;
  result.verdict.summary = "no " + need + " here";
  result.properties.emplace_back("needs", need);
  return result;
}

inline GroupResult Group(const std::string& manifest, std::vector<CaseResult> cases,
                         std::uint32_t ranks = 1) {
  GroupResult group;
  group.expected.name = "spans." + manifest + ".r" + std::to_string(ranks);
  group.expected.folder = "out/" + group.expected.name;
  group.expected.labels = {"parity", "spans"};
  group.info = GroupInfo{.name = group.expected.name,
                         .suite = "spans",
                         .manifest = manifest,
                         .ranks = ranks,
                         .seed = 0x5eed,
                         .begun = "2030-06-15T10:00:00Z",
                         .ended = "2030-06-15T10:01:00Z",
                         .exit_code = 0};
  group.cases = std::move(cases);
  return group;
}

// A folder that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = ::testing::TempDir() + "/parity_report_XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_REPORT_RESULTS_H_
