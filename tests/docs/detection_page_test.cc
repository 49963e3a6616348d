// docs/detection.md shows the tables that selfproof holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "gtest_parity/report/files.h"

namespace parity::testing {
namespace {

std::string Indented(const std::string& text) {
  std::istringstream lines(text);
  std::string block;
  for (std::string line; std::getline(lines, line);) {
    block += (line.empty() ? "" : "    " + line) + "\n";
  }
  return block;
}

TEST(DetectionPage, ShowsTheTablesThatAreCheckedIn) {
  const std::string golden = PARITY_SOURCE_DIR "/tests/selfproof/golden/";
  const std::string page = ReadFileIfThere(PARITY_SOURCE_DIR "/docs/detection.md").value_or("");
  const std::string sizes = ReadFileIfThere(golden + "detection.txt").value_or("");
  EXPECT_THAT(page, ::testing::HasSubstr(Indented(sizes.substr(sizes.find("\n\n") + 2))));
  EXPECT_THAT(page, ::testing::HasSubstr(
                        Indented(ReadFileIfThere(golden + "table.txt").value_or("none"))));
}

}  // namespace
}  // namespace parity::testing
