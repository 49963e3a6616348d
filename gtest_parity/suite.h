// A suite's run as its fixtures, environments and listener share it.
#ifndef GTEST_PARITY_SUITE_H_
#define GTEST_PARITY_SUITE_H_

#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "gtest_parity/session/campaign.h"
#include "gtest_parity/session/case.h"
#include "gtest_parity/suite_options.h"

namespace parity {

struct Suite {
  SuiteOptions options;
  std::string group;  // name in reports
  std::unique_ptr<Campaign> campaign;
  std::map<std::string, Verdict> verdicts;  // by GoogleTest's full name

  // One shell command that repeats a case.
  std::string RepeatCommand(const std::string& full_name) const;
};

// The parameter of every generated case.
struct CaseParameter {
  Case which;
  Suite* suite = nullptr;
};
void PrintTo(const CaseParameter& parameter, std::ostream* out);

}  // namespace parity

#endif  // GTEST_PARITY_SUITE_H_
