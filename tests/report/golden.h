// Texts that are checked in and compared as a whole.
#ifndef GTEST_PARITY_TESTS_REPORT_GOLDEN_H_
#define GTEST_PARITY_TESTS_REPORT_GOLDEN_H_

#include <gtest/gtest.h>

#include <string>

#include "tests/golden_file.h"

namespace parity::testing {

// Compares with tests/report/golden/<name>.
inline ::testing::AssertionResult MatchesGolden(const std::string& name, const std::string& text) {
  return MatchesGoldenFile(std::string(PARITY_SOURCE_DIR) + "/tests/report/golden/" + name, text);
}

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_REPORT_GOLDEN_H_
