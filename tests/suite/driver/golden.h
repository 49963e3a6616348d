// Console text that users read, compared as a whole.
#ifndef GTEST_PARITY_TESTS_SUITE_DRIVER_GOLDEN_H_
#define GTEST_PARITY_TESTS_SUITE_DRIVER_GOLDEN_H_

#include <gtest/gtest.h>

#include <string>

namespace parity::testing {

// Without what differs from machine to machine, or run to run. `folder`: of the run's reports.
std::string Normalised(const std::string& text, const std::string& folder);

// tests/suite/golden/<name>; PARITY_UPDATE_GOLDEN=1 rewrites it, and fails.
::testing::AssertionResult MatchesGolden(const std::string& name, const std::string& text);

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_SUITE_DRIVER_GOLDEN_H_
