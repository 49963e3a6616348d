// Every wrong engine is found, named as what it is, and costs no other case its verdict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "tests/selfproof/findings.h"
#include "tests/selfproof/mutant_rows.h"
#include "tests/selfproof/row_file.h"
#include "tests/suite/driver/recorded_reference.h"

namespace parity::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSubsetOf;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::uint32_t kRanks = 2;

SuiteArguments ArgumentsOf(Mode mode) { return {.manifest = ManifestOf(mode), .ranks = kRanks}; }

// The same run without a mutant, whose reference serves those with one.
const RecordedReference& Recorded(Mode mode) {
  static std::map<Mode, std::unique_ptr<RecordedReference>> references;
  std::unique_ptr<RecordedReference>& reference = references[mode];
  if (!reference) reference = std::make_unique<RecordedReference>(ArgumentsOf(mode));
  return *reference;
}

const SuiteRun& Baseline(Mode mode) { return Recorded(mode).run(); }

bool IsOf(const CaseResult& result, const std::string& program) {
  return SlugOf(result).starts_with(program + "_");
}

class MutantTest : public ::testing::TestWithParam<std::tuple<Mode, MutantRow>> {
 protected:
  Mode mode() const { return std::get<0>(GetParam()); }
  const MutantRow& row() const { return std::get<1>(GetParam()); }

  // What a span that the mutant made worse must come to.
  Outcome OutcomeOfSpan(const CaseResult& span, const SuiteRun& run) const {
    if (row().span_class == SpanClass::kBroken) return Outcome::kFail;
    if (row().span_class == SpanClass::kValueIdentical) return Outcome::kPass;
    if (mode() == Mode::kExact) return Outcome::kFail;
    return OutcomeOfProgram(span, run);
  }

  static Outcome OutcomeOfProgram(const CaseResult& span, const SuiteRun& run) {
    return run.At(IsOf(span, "prefill") ? "EndToEnd/prefill" : "EndToEnd/decode").outcome;
  }

  // Cases that must be red, by name, out of what the row says and nothing else.
  std::set<std::string> ExpectedRed(const SuiteRun& run) const;
  void CheckSpans(const SuiteRun& run) const;
  void CheckEndToEnd(const SuiteRun& run) const;
  void CheckTheRestIsUntouched(const SuiteRun& run) const;
};

std::set<std::string> MutantTest::ExpectedRed(const SuiteRun& run) const {
  std::set<std::string> red = row().red;
  const std::vector<std::string>& spans = SpansOf(row(), mode());
  for (const CaseResult& result : Baseline(mode()).cases()) {
    const std::string name = ShortName(result), fixture = FixtureOf(result);
    const bool wrong = std::find(spans.begin(), spans.end(), SlugOf(result)) != spans.end();
    bool is_red = false;
    if (fixture == "SpanParity" && wrong) {
      is_red = !Passes(OutcomeOfSpan(result, run));
    } else if (fixture == "SpanParity") {
      // Spans of the kernel swap that differ without a mutant share their program's verdict.
      is_red = result.verdict.span_class == SpanClass::kDifferent &&
               !Passes(OutcomeOfProgram(result, run));
    } else if (fixture == "EndToEnd") {
      is_red = !EndToEndOf(row(), mode()).at(SlugOf(result)).starts_with("PASS");
    } else if (fixture != "Preflight" || SlugOf(result) == "candidate_neutrality") {
      is_red = row().dies;
    }
    if (is_red) red.insert(name);
  }
  return red;
}

void MutantTest::CheckSpans(const SuiteRun& run) const {
  std::set<int> ranks;
  std::set<std::string> runs;
  for (const std::string& slug : SpansOf(row(), mode())) {
    SCOPED_TRACE(slug);
    const CaseResult& span = run.At("SpanParity/" + slug);
    EXPECT_EQ(span.verdict.span_class, row().span_class);
    EXPECT_EQ(span.outcome, OutcomeOfSpan(span, run));
    ASSERT_FALSE(span.verdict.findings.empty());
    const std::string& worst = span.verdict.findings.front();
    for (const std::string& words : row().words) EXPECT_THAT(worst, HasSubstr(words));
    EXPECT_THAT(RanksNamed({worst}), IsSubsetOf(row().ranks));
    ranks.merge(RanksNamed(span.verdict.findings));
    runs.merge(RunsNamed(span.verdict.findings));
  }
  if (mode() == Mode::kFused) return;  // without a mutant too, spans differ on every rank
  EXPECT_EQ(ranks, row().ranks);
  if (!row().runs.empty()) {
    EXPECT_EQ(runs, row().runs);
  }
}

void MutantTest::CheckEndToEnd(const SuiteRun& run) const {
  for (const auto& [program, expected] : EndToEndOf(row(), mode())) {
    SCOPED_TRACE(program);
    const CaseResult& result = run.At("EndToEnd/" + program);
    if (expected == "not PASS") {
      EXPECT_FALSE(Passes(result.outcome)) << result.verdict.summary;
    } else {
      EXPECT_EQ(std::string(NameOf(result.outcome)) + " " + PropertyOf(result, "rule"), expected)
          << result.verdict.summary;
    }
  }
}

// Evidence that a mutant had spoilt would show in the cases that come after it.
void MutantTest::CheckTheRestIsUntouched(const SuiteRun& run) const {
  const std::vector<std::string>& spans = SpansOf(row(), mode());
  for (const CaseResult& before : Baseline(mode()).cases()) {
    const bool wrong = std::find(spans.begin(), spans.end(), SlugOf(before)) != spans.end();
    if (wrong || FixtureOf(before) != "SpanParity") continue;
    SCOPED_TRACE(ShortName(before));
    const CaseResult& after = run.At(ShortName(before));
    EXPECT_EQ(after.verdict.span_class, before.verdict.span_class);
    EXPECT_EQ(after.verdict.compared, before.verdict.compared);
    EXPECT_EQ(after.verdict.compared, after.verdict.expected);
    for (const char* property : {"worst_ulp", "nrmse", "max_abs"}) {
      EXPECT_EQ(PropertyOf(after, property), PropertyOf(before, property));
    }
  }
}

int ExitCodeFor(const std::vector<CaseResult>& cases) {
  int code = 0;
  for (const CaseResult& result : cases) {
    if (result.outcome == Outcome::kFail) return 1;
    if (!Passes(result.outcome)) code = 3;
  }
  return code;
}

TEST_P(MutantTest, IsFoundAndNothingElseIs) {
  RemoveCell(row().name, NameOf(mode()));
  SuiteArguments arguments = ArgumentsOf(mode());
  arguments.candidate = MutantOf(row(), mode());
  arguments.deadline_seconds = row().deadline_seconds;
  const SuiteRun run(Recorded(mode()).Replayed(arguments));

  EXPECT_THAT(run.group().problems, IsEmpty());
  ASSERT_EQ(run.cases().size(), Baseline(mode()).cases().size()) << run.err();
  CheckSpans(run);
  CheckEndToEnd(run);
  CheckTheRestIsUntouched(run);
  EXPECT_EQ(RedCases(run.cases()), ExpectedRed(run));
  EXPECT_EQ(run.exit_code(), ExitCodeFor(run.cases()));
  if (HasFailure()) return;  // a row of the table is one that held
  WriteCell(row().name, NameOf(mode()), CellOf(run.cases(), SpansOf(row(), mode())));
}

std::string NameOfParameter(const ::testing::TestParamInfo<std::tuple<Mode, MutantRow>>& info) {
  return std::get<1>(info.param).name;
}

const auto kRows = ::testing::ValuesIn(MutantRows().begin(), MutantRows().end());

INSTANTIATE_TEST_SUITE_P(exact, MutantTest,
                         ::testing::Combine(::testing::Values(Mode::kExact), kRows),
                         NameOfParameter);
INSTANTIATE_TEST_SUITE_P(end_to_end, MutantTest,
                         ::testing::Combine(::testing::Values(Mode::kEndToEnd), kRows),
                         NameOfParameter);
INSTANTIATE_TEST_SUITE_P(fused, MutantTest,
                         ::testing::Combine(::testing::Values(Mode::kFused), kRows),
                         NameOfParameter);

class BaselineTest : public ::testing::TestWithParam<Mode> {};

TEST_P(BaselineTest, IsGreen) {
  const SuiteRun& run = Baseline(GetParam());
  EXPECT_EQ(run.exit_code(), 0) << run.out() << run.err();
  EXPECT_THAT(RedCases(run.cases()), IsEmpty());
  EXPECT_THAT(run.group().problems, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(exact, BaselineTest, ::testing::Values(Mode::kExact));
INSTANTIATE_TEST_SUITE_P(end_to_end, BaselineTest, ::testing::Values(Mode::kEndToEnd));
INSTANTIATE_TEST_SUITE_P(fused, BaselineTest, ::testing::Values(Mode::kFused));

// A candidate that dies in both programs and in the free run has died three times in one op: what
// would come after it is not run, and says so.
TEST(DeathsTest, OfOneOpDoNotEndTheRunOfOthers) {
  SuiteArguments arguments = ArgumentsOf(Mode::kFused);
  arguments.candidate = R"({"name": "crash"})";
  arguments.filter = "*_layer1_attention:*_layer2_*:*EndToEnd*";
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_THAT(run.group().problems, IsEmpty());
  for (const char* span :
       {"SpanParity/prefill_layer2_mlp_norm", "SpanParity/decode_layer2_mlp_norm"}) {
    const CaseResult& result = run.At(span);
    EXPECT_THAT(result.verdict.summary, Not(StartsWith("not run")));
    EXPECT_EQ(result.verdict.compared, result.verdict.expected);
  }
}

}  // namespace
}  // namespace parity::testing
