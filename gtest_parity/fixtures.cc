#include "gtest_parity/fixtures.h"

#include <vector>

#include "gtest_parity/instantiate.h"
#include "gtest_parity/session/recorded_reference.h"

namespace parity {
namespace {

// Findings come worst first; a case on many runs and ranks would fill the screen.
constexpr std::size_t kToldFindings = 8;

}  // namespace

std::string ParityCase::FullName() const {
  const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
  return std::string(info->test_suite_name()) + "." + info->name();
}

void ParityCase::SetUp() {
  if (const std::optional<Verdict> trouble = campaign().Trouble()) {
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
    const std::string tail = campaign().OutputTail();
    if (!tail.empty()) result << "\n  the engine's last words:\n" << tail;
    const RecordedReference* recorded = campaign().recorded();
    if (recorded != nullptr && recorded->golden) {
      result << "\n  " << recorded->GoldenText(campaign().manifest());
    }
    result << "\n  repeat: " << GetParam().suite->RepeatCommand(FullName());
  }
  return result;
}

void ParityCase::ExpectParity() {
  const Verdict verdict = campaign().Judge(which());
  GetParam().suite->verdicts[FullName()] = verdict;
  if (verdict.outcome == Outcome::kBlocked) GTEST_SKIP() << verdict.summary;
  if (!Passes(verdict.outcome)) GTEST_NONFATAL_FAILURE_(Told(verdict).message());
}

void InstantiateCases(const std::string& prefix, Suite& suite) {
  InstantiateFixture<Preflight>("Preflight", prefix, suite);
  InstantiateFixture<SpanParity>("SpanParity", prefix, suite);
  InstantiateFixture<EndToEnd>("EndToEnd", prefix, suite);
  InstantiateFixture<Domain>("Domain", prefix, suite);
  InstantiateFixture<Replicated>("Replicated", prefix, suite);
}

}  // namespace parity
