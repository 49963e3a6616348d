// GoogleTest's table of cases, filled at run time.
#ifndef GTEST_PARITY_INSTANTIATE_H_
#define GTEST_PARITY_INSTANTIATE_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gtest_parity/suite.h"

namespace parity {

// GoogleTest takes generators as plain functions: each fixture's table is found by its type.
template <typename Fixture>
std::vector<CaseParameter> case_table;

// What INSTANTIATE_TEST_SUITE_P expands to, with a prefix and a table that are known at run time
// only. `fixture`: the class's name as a TEST_P of it spells it. Before testing::InitGoogleTest.
template <typename Fixture>
void InstantiateFixture(const char* fixture, const std::string& prefix, Suite& suite) {
  // Which fixtures have tests is the suite's affair, which have cases the manifest's.
  testing::internal::MarkAsIgnored{fixture};
  for (const Case& which : suite.campaign->Cases()) {
    if (which.Fixture() == fixture) case_table<Fixture>.push_back({which, &suite});
  }
  if (case_table<Fixture>.empty()) return;
  testing::UnitTest::GetInstance()
      ->parameterized_test_registry()
      .GetTestSuitePatternHolder<Fixture>(fixture,
                                          testing::internal::CodeLocation(__FILE__, __LINE__))
      ->AddTestSuiteInstantiation(
          prefix,
          []() -> testing::internal::ParamGenerator<CaseParameter> {
            return testing::ValuesIn(case_table<Fixture>);
          },
          [](const testing::TestParamInfo<CaseParameter>& info) { return info.param.which.slug; },
          __FILE__, __LINE__);
}

}  // namespace parity

#endif  // GTEST_PARITY_INSTANTIATE_H_
