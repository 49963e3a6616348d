#include "gtest_parity/listener.h"

#include <ctime>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "gtest_parity/report/error.h"
#include "gtest_parity/report/junit.h"
#include "gtest_parity/session/recorded_reference.h"

namespace parity {
namespace {

std::string NowUtc() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

// What GoogleTest made of a case, where the case itself gave no verdict or failed beside it.
Verdict VerdictOf(const testing::TestInfo& info, const Verdict* given) {
  const testing::TestResult& result = *info.result();
  Verdict verdict;
  if (given != nullptr) verdict = *given;
  if (given != nullptr && (Passes(given->outcome) == !result.Failed() || result.Skipped())) {
    return verdict;
  }
  verdict.outcome = result.Failed()    ? Outcome::kFail
                    : result.Skipped() ? Outcome::kBlocked
                                       : Outcome::kPass;
  for (int i = 0; i < result.total_part_count(); ++i) {
    const testing::TestPartResult& part = result.GetTestPartResult(i);
    if (!part.passed()) verdict.findings.push_back(part.message());
  }
  if (!verdict.findings.empty()) verdict.summary = verdict.findings.back();
  return verdict;
}

// What somebody chose to run of a group, by its flags, by filter or as a shard.
std::string PartText(const SuiteOptions& options, std::size_t selected, int cases) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (!options.run.empty()) add("--parity_run=" + options.run);
  if (options.rank) add("--parity_rank=" + std::to_string(*options.rank));
  if (selected != static_cast<std::size_t>(cases)) {
    add(std::to_string(selected) + " of " + std::to_string(cases) + " cases");
  }
  return text;
}

}  // namespace

ReportListener::ReportListener(Suite& suite, std::string folder)
    : suite_(suite), folder_(std::move(folder)) {
  const Manifest& manifest = suite_.campaign->manifest();
  info_.name = suite_.group;
  info_.suite = std::filesystem::read_symlink("/proc/self/exe").filename().string();
  info_.manifest = manifest.name;
  info_.ranks = manifest.ranks.count;
  info_.seed = suite_.campaign->seed();
  info_.begun = NowUtc();
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw ReportError("cannot make the output folder " + folder_ + ": " + error.message());
  record_ = std::make_unique<CaseRecord>(folder_ + "/cases.jsonl");
  WriteGroupInfo(folder_, info_);
}

template <typename Write>
void ReportListener::Try(Write write) {
  try {
    write();
  } catch (const ReportError& error) {
    if (!trouble_) trouble_ = error.what();
  }
}

void ReportListener::OnTestIterationStart(const testing::UnitTest& tests, int iteration) {
  if (iteration > 0) return;
  for (int s = 0; s < tests.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *tests.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const testing::TestInfo& test = *suite.GetTestInfo(t);
      if (test.should_run()) selected_.emplace_back(suite.name(), test.name());
    }
  }
  info_.part = PartText(suite_.options, selected_.size(),
                        tests.total_test_count() - tests.disabled_test_count());
  if (!record_) return;
  Try([&] { record_->Selected(selected_); });
  Try([&] { WriteGroupInfo(folder_, info_); });
}

void ReportListener::OnTestStart(const testing::TestInfo& info) {
  started_ = NowUtc();
  if (!record_) return;
  Try([&] { record_->Started(info.test_suite_name(), info.name(), started_); });
}

void ReportListener::OnTestEnd(const testing::TestInfo& info) {
  CaseResult result;
  result.suite = info.test_suite_name();
  result.test = info.name();
  const auto given = suite_.verdicts.find(result.FullName());
  result.verdict = VerdictOf(info, given == suite_.verdicts.end() ? nullptr : &given->second);
  result.outcome = result.verdict.outcome;
  result.seconds = static_cast<double>(info.result()->elapsed_time()) / 1000;
  result.started = started_;
  result.repeat_command = suite_.RepeatCommand(result.FullName());
  result.properties.emplace_back("seed", std::to_string(info_.seed));
  if (!suite_.options.in_process && suite_.campaign->is_evidence()) {
    result.properties.emplace_back("sides", "own processes");
  } else {
    result.properties.emplace_back("sides", kInProcess);
  }
  if (const RecordedReference* recorded = suite_.campaign->recorded()) {
    result.properties.emplace_back("reference",
                                   (recorded->golden ? "golden " : "") + recorded->Text());
  }
  if (!Passes(result.outcome)) result.output_tail = suite_.campaign->OutputTail();
  results_.push_back(result);
  if (!record_) return;
  Try([&] { record_->Finished(result); });
  const auto now = Pace::Clock::now();
  if (!junit_pace_.Due(now)) return;
  Try([&] { WriteJUnit(folder_ + "/junit.xml", {AsGroup()}); });
  junit_pace_.Done(now, Pace::Clock::now());
}

GroupResult ReportListener::AsGroup() const {
  GroupResult group;
  group.expected = {info_.name, folder_, {}};
  group.info = info_;
  group.cases = results_;
  std::set<std::string> ended;
  for (const CaseResult& result : results_) ended.insert(result.FullName());
  for (const auto& [suite, test] : selected_) {
    CaseResult unreached = NotReached(suite, test);
    if (!ended.contains(unreached.FullName())) group.cases.push_back(std::move(unreached));
  }
  return group;
}

void ReportListener::Finish(int exit_code) {
  info_.ended = NowUtc();
  info_.exit_code = exit_code;
  if (!record_) return;
  Try([&] { WriteJUnit(folder_ + "/junit.xml", {AsGroup()}); });
  Try([&] { WriteGroupInfo(folder_, info_); });
}

}  // namespace parity
