#include "gtest_parity/environments.h"

#include <map>
#include <string>
#include <vector>

namespace parity {
namespace {

// The cases that any selected test stands for, each once.
std::vector<Case> SelectedCases(const std::vector<Case>& cases) {
  std::map<std::string, Case> by_name;
  for (const Case& which : cases) by_name[which.Fixture() + "/" + which.slug] = which;
  std::vector<Case> selected;
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  for (int s = 0; s < tests.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *tests.GetTestSuite(s);
    const std::string suite_name = suite.name();
    for (int t = 0; t < suite.total_test_count(); ++t) {
      if (!suite.GetTestInfo(t)->should_run()) continue;
      const std::string name = suite.GetTestInfo(t)->name();
      const auto found = by_name.find(suite_name.substr(suite_name.rfind('/') + 1) + "/" +
                                      name.substr(name.rfind('/') + 1));
      if (found != by_name.end()) selected.push_back(found->second);
    }
  }
  return selected;
}

}  // namespace

void ReferenceEnvironment::SetUp() {
  suite_.campaign->RecordReference(SelectedCases(suite_.campaign->Cases()));
}

}  // namespace parity
