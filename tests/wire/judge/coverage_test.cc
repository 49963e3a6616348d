// Every check and rule of the wire is covered, or says why not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "suites/wire/rules/rule.h"

namespace parity::wire {
namespace {

namespace fs = std::filesystem;

std::set<std::string> TestsIn(const fs::path& folder) {
  static const std::regex test(R"(\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\))");
  std::set<std::string> tests;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cc") continue;
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    for (std::sregex_iterator it(text.begin(), text.end(), test), end; it != end; ++it) {
      tests.insert((*it)[1].str() + "." + (*it)[2].str());
    }
  }
  return tests;
}

std::set<std::string> AllIds() {
  std::set<std::string> ids;
  const std::pair<char, int> families[] = {{'W', 50}, {'H', 13}, {'S', 12}, {'C', 12},
                                           {'P', 4},  {'A', 10}, {'R', 12}, {'M', 7},
                                           {'L', 8},  {'U', 7},  {'E', 6}};
  for (const auto& [family, count] : families) {
    for (int i = 1; i <= count; ++i) {
      ids.insert(std::string(1, family) + (i < 10 ? "-0" : "-") + std::to_string(i));
    }
  }
  return ids;
}

TEST(WireCoverage, EveryIdIsCoveredOrSaysWhyNot) {
  const YAML::Node coverage = YAML::LoadFile(PARITY_SOURCE_DIR "/suites/wire/coverage.yaml");
  const std::set<std::string> tests = TestsIn(PARITY_SOURCE_DIR "/tests/wire");
  std::set<std::string> listed;
  for (const auto& row : coverage) {
    const std::string id = row.first.as<std::string>();
    SCOPED_TRACE(id);
    EXPECT_TRUE(listed.insert(id).second) << "twice";
    const YAML::Node& what = row.second;
    ASSERT_TRUE(what.IsMap());
    if (what["not_covered"]) {
      EXPECT_EQ(what.size(), 1u);
      EXPECT_GT(what["not_covered"].as<std::string>().size(), 20u);
      continue;
    }
    EXPECT_TRUE(what["rule"] || what["test"] || what["case"]);
    if (what["rule"]) {
      EXPECT_NE(FindRule(what["rule"].as<std::string>()), nullptr);
    }
    if (what["probe"]) {
      const Rule* rule = FindRule(what["rule"].as<std::string>());
      const std::string needs(rule == nullptr ? "" : rule->needs);
      EXPECT_THAT(needs, ::testing::HasSubstr(what["probe"].as<std::string>()));
    }
    if (what["test"]) {
      EXPECT_EQ(tests.count(what["test"].as<std::string>()), 1u);
    }
  }
  EXPECT_EQ(listed, AllIds());
}

// A rule that no id asks for would be a rule of nobody.
TEST(WireCoverage, EveryRuleIsAskedFor) {
  const std::set<std::string> ids = AllIds();
  for (const Rule& rule : AllRules()) {
    const std::string id(rule.id);
    const bool own = id.starts_with("equal.") || id.starts_with("schema.");
    EXPECT_TRUE(own || ids.contains(id.substr(0, id.find('.')))) << id;
  }
}

}  // namespace
}  // namespace parity::wire
