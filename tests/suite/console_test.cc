// What a user reads on the console, compared as a whole.
#include <gtest/gtest.h>

#include <regex>

#include "tests/suite/driver/golden.h"

namespace parity::testing {
namespace {

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// Without what differs from machine to machine, or run to run.
std::string Normalised(const std::string& text, const std::string& folder) {
  std::string result = Replaced(text, folder, "FOLDER");
  result = Replaced(result, PARITY_SPANS, "BIN/spans");
  result = Replaced(result, PARITY_LIBRARIES, "LIB");
  result = Replaced(result, PARITY_SOURCE_DIR, "SOURCE");
  const std::pair<const char*, const char*> patterns[] = {
      {"-?[0-9]+\\.[0-9]+(e[-+]?[0-9]+)?", "#"},
      {"[0-9]+ ulp", "# ulp"},
      {"max_ulp [0-9]+", "max_ulp #"},
      {" +#", " #"},
      {"\\([0-9]+ ms( total)?\\)", "(# ms$1)"},
      {"[^ \n]*gtest_parity/fixtures\\.cc:[0-9]+", "gtest_parity/fixtures.cc:#"},
      {"[0-9]+ (KiB|MiB)", "# $1"}};
  for (const auto& [pattern, to] : patterns) {
    result = std::regex_replace(result, std::regex(pattern), to);
  }
  return result;
}

TEST(Console, TellsOneFailingCaseCompletely) {
  SuiteArguments arguments = {.manifest = "tests/suite/quick.yaml",
                              .ranks = 2,
                              .filter = "*decode_layer0_gate",
                              .candidate = R"({"name": "drift", "rank": 1})"};
  const SuiteRun run(arguments);
  EXPECT_TRUE(MatchesGolden("failing_case.txt", Normalised(run.out(), run.folder())));
  EXPECT_EQ(run.err(), "");
}

TEST(Console, EndsWithTheMatrixOfTheRun) {
  const SuiteRun run({.manifest = "tests/suite/quick.yaml", .candidate = R"({"name": "drift"})"});
  const std::string text = Normalised(run.out(), run.folder());
  EXPECT_TRUE(MatchesGolden("matrix.txt", text.substr(text.find("\nsuite  ") + 1)));
}

TEST(Console, SaysWhatTapOnlyEnginesDoNotLetAnybodyCheck) {
  const SuiteRun run({.manifest = "manifests/tiny/paged_vs_streamed.yaml",
                      .candidate = R"({"name": "drift"})"});
  const std::string text = Normalised(run.out(), run.folder());
  EXPECT_TRUE(MatchesGolden("tap_only.txt", text.substr(text.find("\nsuite  ") + 1)));
}

}  // namespace
}  // namespace parity::testing
