// Pages of docs/ name tests as their evidence: each must exist.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "gtest_parity/report/files.h"

namespace parity::testing {
namespace {

namespace fs = std::filesystem;

std::set<std::string> Matches(const std::string& text, const std::regex& pattern) {
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    found.insert((*it)[1].str() + "." + (*it)[2].str());
  }
  return found;
}

std::set<std::string> TestsOf(const fs::path& folder) {
  static const std::regex test(R"(\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\))");
  std::set<std::string> tests;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cc") continue;
    tests.merge(Matches(ReadFileIfThere(entry.path()).value_or(""), test));
  }
  return tests;
}

TEST(Docs, TestsThatPagesNameExist) {
  static const std::regex name(R"(`([A-Z]\w+)\.([A-Z]\w+)`)");
  const std::set<std::string> tests = TestsOf(PARITY_SOURCE_DIR "/tests");
  std::size_t named = 0;
  for (const fs::directory_entry& page : fs::directory_iterator(PARITY_SOURCE_DIR "/docs")) {
    if (page.path().extension() != ".md") continue;
    for (const std::string& test : Matches(ReadFileIfThere(page.path()).value_or(""), name)) {
      EXPECT_EQ(tests.count(test), 1u) << page.path().filename() << " names " << test;
      ++named;
    }
  }
  EXPECT_GT(named, 40u);
}

}  // namespace
}  // namespace parity::testing
