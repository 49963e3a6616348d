// Writes down what every case came to, as it ends.
#ifndef GTEST_PARITY_LISTENER_H_
#define GTEST_PARITY_LISTENER_H_

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/report/case_result.h"
#include "gtest_parity/report/group.h"
#include "gtest_parity/report/pace.h"
#include "gtest_parity/report/record.h"
#include "gtest_parity/suite.h"

namespace parity {

// One JSON line with all cases that are to run, one as a case begins and one as it ends; JUnit
// rewritten at most once a second and at the end. A report that cannot be written is kept as
// trouble(), which must not end in success.
class ReportListener : public testing::EmptyTestEventListener {
 public:
  // `folder`: empty, nothing is written. Throws ReportError where the folder cannot be used.
  ReportListener(Suite& suite, std::string folder);

  void OnTestIterationStart(const testing::UnitTest& tests, int iteration) override;
  void OnTestStart(const testing::TestInfo& info) override;
  void OnTestEnd(const testing::TestInfo& info) override;
  // The final reports.
  void Finish(int exit_code);

  const std::vector<CaseResult>& results() const { return results_; }
  const std::optional<std::string>& trouble() const { return trouble_; }
  // All selected cases: those that have not ended as not reached.
  GroupResult AsGroup() const;

 private:
  template <typename Write>
  void Try(Write write);

  Suite& suite_;
  std::string folder_;
  GroupInfo info_;
  std::unique_ptr<CaseRecord> record_;
  std::vector<std::pair<std::string, std::string>> selected_;  // suite, test
  std::vector<CaseResult> results_;
  std::string started_;
  Pace junit_pace_;
  std::optional<std::string> trouble_;
};

}  // namespace parity

#endif  // GTEST_PARITY_LISTENER_H_
