// The table of times, as a person reads it.
#include "gtest_parity/report/perf_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/golden.h"

namespace parity {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CaseResult Case(const std::string& suite, const std::string& test, Properties perf) {
  CaseResult result;
  result.suite = "tiny/" + suite;
  result.test = "Matches/" + test;
  result.outcome = result.verdict.outcome = Outcome::kPass;
  for (const auto& [key, value] : perf) SetProperty(result.verdict, "perf." + key, value);
  return result;
}

GroupResult Group() {
  GroupResult group;
  group.expected = {"spans.tiny.ranks2", "", {}};
  const Properties times = {{"runs", "8"},
                            {"reference_us", "120.5"},
                            {"reference_spread", "0.041"},
                            {"reference_samples", "24"},
                            {"reference_rank", "1"},
                            {"reference_gb_per_s", "3.200"},
                            {"reference_copy_gb_per_s", "11.000"},
                            {"candidate_us", "12050.0"},
                            {"candidate_spread", "0.002"},
                            {"candidate_samples", "16"},
                            {"candidate_rank", "0"},
                            {"candidate_gb_per_s", "0.032"},
                            {"candidate_copy_gb_per_s", "10.500"},
                            {"ratio", "100.000"}};
  Properties no_rate;
  for (const auto& one : times) {
    if (one.first.find("gb_per_s") == std::string::npos) no_rate.push_back(one);
  }
  group.cases = {Case("SpanParity", "decode_layer0_attention", times),
                 Case("EndToEnd", "decode", no_rate), Case("Domain", "decode_next_token", {})};
  return group;
}

TEST(PerfTable, IsAsAPersonReadsIt) {
  EXPECT_TRUE(testing::MatchesGolden("perf.txt", PerfText({Group()})));
}

TEST(PerfTable, HasNoWordOfJudgement) {
  const std::string text = PerfText({Group()});
  for (const char* word : {"PASS", "FAIL", "slower", "faster", "regress", "ok"}) {
    EXPECT_THAT(text, Not(HasSubstr(word)));
  }
}

TEST(PerfTable, SaysWhereThereIsNothingToTell) {
  GroupResult group = Group();
  group.cases = {group.cases.back()};
  EXPECT_THAT(PerfText({group}), HasSubstr("no case has times of both sides"));
}

}  // namespace
}  // namespace parity
