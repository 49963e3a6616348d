// Texts that are checked in and compared as a whole.
#ifndef GTEST_PARITY_TESTS_REPORT_GOLDEN_H_
#define GTEST_PARITY_TESTS_REPORT_GOLDEN_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "gtest_parity/report/files.h"

namespace parity::testing {

// Compares with tests/report/golden/<name>. With PARITY_UPDATE_GOLDEN in the environment the file
// is rewritten instead, and the test fails so that nobody takes that for a check.
inline ::testing::AssertionResult MatchesGolden(const std::string& name, const std::string& text) {
  const std::string path = std::string(PARITY_SOURCE_DIR) + "/tests/report/golden/" + name;
  if (std::getenv("PARITY_UPDATE_GOLDEN") != nullptr) {
    WriteFileAtomically(path, text);
    return ::testing::AssertionFailure() << "rewrote " << path;
  }
  if (ReadFileIfThere(path) == text) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << path << " differs from:\n" << text;
}

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_REPORT_GOLDEN_H_
