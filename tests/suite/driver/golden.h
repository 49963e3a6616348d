// Text that is compared as a whole.
#ifndef GTEST_PARITY_TESTS_SUITE_DRIVER_GOLDEN_H_
#define GTEST_PARITY_TESTS_SUITE_DRIVER_GOLDEN_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "gtest_parity/report/files.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {

// With tests/suite/golden/<name>; PARITY_UPDATE_GOLDEN=1 rewrites it.
inline ::testing::AssertionResult MatchesGolden(const std::string& name, const std::string& text) {
  const std::string path = InSource("tests/suite/golden/" + name);
  if (std::getenv("PARITY_UPDATE_GOLDEN") != nullptr) {
    WriteFileAtomically(path, text);
    return ::testing::AssertionFailure() << "rewrote " << path;
  }
  if (ReadFileIfThere(path) == text) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << path << " differs from:\n" << text;
}

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_SUITE_DRIVER_GOLDEN_H_
