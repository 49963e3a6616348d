#include "gtest_parity/fixtures.h"

#include <vector>

namespace parity {
namespace {

// Findings come worst first; a case on many runs and ranks would fill the screen.
constexpr std::size_t kToldFindings = 8;

// GoogleTest takes generators as plain functions: each fixture's table is found by its type.
template <typename Fixture>
std::vector<CaseParameter> table;

// What INSTANTIATE_TEST_SUITE_P expands to, with a prefix and a table that are known at run time
// only.
template <typename Fixture>
void Instantiate(const std::string& prefix, Suite& suite, CaseKind kind) {
  // Which fixtures have tests is the suite's affair, which have cases the manifest's.
  testing::internal::MarkAsIgnored(FixtureName(kind));
  for (const Case& which : CasesOf(suite.session->plan())) {
    if (which.kind == kind) table<Fixture>.push_back({which, &suite});
  }
  if (table<Fixture>.empty()) return;
  testing::UnitTest::GetInstance()
      ->parameterized_test_registry()
      .GetTestSuitePatternHolder<Fixture>(FixtureName(kind),
                                          testing::internal::CodeLocation(__FILE__, __LINE__))
      ->AddTestSuiteInstantiation(
          prefix.c_str(),
          []() -> testing::internal::ParamGenerator<CaseParameter> {
            return testing::ValuesIn(table<Fixture>);
          },
          [](const testing::TestParamInfo<CaseParameter>& info) { return info.param.which.slug; },
          __FILE__, __LINE__);
}

}  // namespace

std::string ParityCase::FullName() const {
  const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
  return std::string(info->test_suite_name()) + "." + info->name();
}

void ParityCase::SetUp() {
  if (const std::optional<Verdict> trouble = session().Trouble()) {
    GetParam().suite->verdicts[FullName()] = *trouble;
    if (trouble->outcome == Outcome::kBlocked) GTEST_SKIP() << trouble->summary;
    GTEST_FAIL() << Told(*trouble).message();
  }
}

testing::AssertionResult ParityCase::Told(const Verdict& verdict) const {
  testing::AssertionResult result =
      Passes(verdict.outcome) ? testing::AssertionSuccess() : testing::AssertionFailure();
  result << NameOf(verdict.outcome) << ": " << verdict.summary;
  std::size_t told = 0;
  for (const std::string& finding : verdict.findings) {
    if (finding == verdict.summary) continue;
    if (told++ < kToldFindings) result << "\n  " << finding;
  }
  if (told > kToldFindings) {
    result << "\n  and " << told - kToldFindings << " more, which cases.jsonl lists";
  }
  if (!Passes(verdict.outcome)) {
    const std::string tail = session().OutputTail();
    if (!tail.empty()) result << "\n  the engine's last words:\n" << tail;
    const RecordedReference* recorded = session().recorded();
    if (recorded != nullptr && recorded->golden) {
      result << "\n  " << recorded->GoldenText(session().plan().manifest);
    }
    result << "\n  repeat: " << GetParam().suite->RepeatCommand(FullName());
  }
  return result;
}

void ParityCase::ExpectParity() {
  const Verdict verdict = session().Judge(which());
  GetParam().suite->verdicts[FullName()] = verdict;
  if (verdict.outcome == Outcome::kBlocked) GTEST_SKIP() << verdict.summary;
  if (!Passes(verdict.outcome)) GTEST_NONFATAL_FAILURE_(Told(verdict).message());
}

void InstantiateCases(const std::string& prefix, Suite& suite) {
  Instantiate<Preflight>(prefix, suite, CaseKind::kPreflight);
  Instantiate<SpanParity>(prefix, suite, CaseKind::kSpan);
  Instantiate<EndToEnd>(prefix, suite, CaseKind::kEndToEnd);
  Instantiate<Domain>(prefix, suite, CaseKind::kDomain);
  Instantiate<Replicated>(prefix, suite, CaseKind::kReplicated);
}

}  // namespace parity
