// Texts that are checked in and compared as a whole.
#ifndef GTEST_PARITY_TESTS_GOLDEN_FILE_H_
#define GTEST_PARITY_TESTS_GOLDEN_FILE_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace parity::testing {

// With PARITY_UPDATE_GOLDEN in the environment the file is rewritten instead, and the test fails so
// that nobody takes that for a check.
inline ::testing::AssertionResult MatchesGoldenFile(const std::string& path,
                                                    const std::string& text) {
  if (std::getenv("PARITY_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text;
    return ::testing::AssertionFailure() << "rewrote " << path;
  }
  std::ifstream file(path);
  const std::string golden(std::istreambuf_iterator<char>(file), {});
  if (golden == text) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << path << " differs from:\n" << text;
}

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_GOLDEN_FILE_H_
