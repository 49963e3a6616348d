#include "gtest_parity/report/exit_code.h"

#include <gtest/gtest.h>

#include "tests/report/results.h"

namespace parity {
namespace {

using namespace parity::testing;

CaseResult Preflight(Outcome outcome) {
  CaseResult result = Result(outcome, "Loads", "paged_vs_fused/Preflight");
  result.verdict.compared = 0;
  return result;
}

struct ExitCase {
  const char* name;
  std::vector<CaseResult> cases;
  int code;
  const char* allowed = "";
  const char* required = "";
};

void PrintTo(const ExitCase& exit_case, std::ostream* out) { *out << exit_case.name; }

class ExitCodes : public ::testing::TestWithParam<ExitCase> {};

TEST_P(ExitCodes, FirstMatchWins) {
  const ExitCase& c = GetParam();
  const ExitRules rules{"spans.a.r1", AllowedBlocked::Parse(c.allowed), ParseRequired(c.required)};
  EXPECT_EQ(ExitCodeOf(c.cases, rules), c.code);
  const std::vector<CaseResult> reversed(c.cases.rbegin(), c.cases.rend());
  EXPECT_EQ(ExitCodeOf(reversed, rules), c.code) << "the order of cases must not matter";
}

INSTANTIATE_TEST_SUITE_P(
    Table, ExitCodes,
    ::testing::Values(
        ExitCase{"passing",
                 {Result(Outcome::kPass), Result(Outcome::kPassStar), Result(Outcome::kWaived)},
                 0},
        ExitCase{"fail", {Result(Outcome::kPass), Result(Outcome::kFail)}, 1},
        ExitCase{"error", {Result(Outcome::kPass), Result(Outcome::kError)}, 4},
        ExitCase{"inconclusive", {Result(Outcome::kPass), Result(Outcome::kInconclusive)}, 3},
        ExitCase{"self", {Result(Outcome::kPass), Result(Outcome::kSelf)}, 3},
        ExitCase{"not_compared", {Result(Outcome::kPass), Result(Outcome::kNotCompared)}, 3},
        ExitCase{"empty", {}, 2},
        ExitCase{"fail_over_error", {Result(Outcome::kError), Result(Outcome::kFail)}, 1},
        ExitCase{"error_over_open", {Result(Outcome::kInconclusive), Result(Outcome::kError)}, 4},
        ExitCase{"open_over_blocked", {Blocked("gpu"), Result(Outcome::kSelf)}, 3},
        ExitCase{"only_blocked", {Blocked("gpu"), Blocked("nvlink")}, 77},
        ExitCase{"only_allowed_blocked", {Blocked("gpu")}, 77, "gpu=none here"},
        ExitCase{"blocked_beside_preflight", {Preflight(Outcome::kPass), Blocked("gpu")}, 77},
        ExitCase{"allowed_beside_pass", {Result(Outcome::kPass), Blocked("gpu")}, 0, "gpu=none"},
        ExitCase{"unallowed_beside_pass", {Result(Outcome::kPass), Blocked("gpu")}, 3},
        ExitCase{"one_unallowed",
                 {Result(Outcome::kPass), Blocked("gpu"), Blocked("nvlink")},
                 3,
                 "gpu=none"},
        ExitCase{"required", {Result(Outcome::kPass), Blocked("gpu")}, 1, "gpu=none", "gpu"},
        ExitCase{"only_blocked_required", {Blocked("gpu")}, 1, "", "nvlink,gpu"},
        ExitCase{"other_required", {Blocked("ranks")}, 77, "", "gpu"},
        ExitCase{"nothing_compared", {Preflight(Outcome::kPass)}, 3},
        ExitCase{"preflight_fails", {Preflight(Outcome::kError), Result(Outcome::kError)}, 4}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace parity
