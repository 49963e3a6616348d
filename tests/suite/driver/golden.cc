#include "tests/suite/driver/golden.h"

#include <regex>

#include "tests/golden_file.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace

std::string Normalised(const std::string& text, const std::string& folder) {
  std::string result = Replaced(text, folder, "FOLDER");
  result = Replaced(result, PARITY_SPANS, "BIN/spans");
  result = Replaced(result, PARITY_TOKENS, "BIN/tokens");
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

::testing::AssertionResult MatchesGolden(const std::string& name, const std::string& text) {
  return MatchesGoldenFile(InSource("tests/suite/golden/" + name), text);
}

}  // namespace parity::testing
