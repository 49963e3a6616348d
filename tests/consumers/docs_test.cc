// The pages in docs/: what they show is what there is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "gtest_parity/judge/outcome.h"
#include "gtest_parity/report/files.h"
#include "tests/consumers/stage.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::string Page(const std::string& name) {
  const std::string text = ReadFileIfThere(InSource(name)).value_or("");
  EXPECT_THAT(text, Not(IsEmpty())) << name;
  return text;
}

// A fenced block: what it is of, and its lines.
struct Block {
  std::string language, text;
};

std::vector<Block> BlocksOf(const std::string& page) {
  std::vector<Block> blocks;
  bool inside = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.push_back({line.substr(3), ""});
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  EXPECT_FALSE(inside);
  return blocks;
}

std::vector<std::string> BlocksIn(const std::string& page, const std::string& language) {
  std::vector<std::string> texts;
  for (const Block& block : BlocksOf(page)) {
    if (block.language == language) texts.push_back(block.text);
  }
  return texts;
}

// Without what is fenced.
std::string ProseOf(const std::string& page) {
  std::string prose = page;
  for (const Block& block : BlocksOf(page)) prose.erase(prose.find(block.text), block.text.size());
  return prose;
}

std::vector<std::string> Pages() {
  std::vector<std::string> pages = {"README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(InSource("docs"))) {
    if (entry.path().extension() == ".md")
      pages.push_back("docs/" + entry.path().filename().string());
  }
  return pages;
}

TEST(Docs, LinksLeadSomewhere) {
  static const std::regex link(R"(\]\(([^)#]+)(#[^)]*)?\))");
  for (const std::string& name : Pages()) {
    const std::string page = ProseOf(Page(name));
    for (std::sregex_iterator it(page.begin(), page.end(), link), none; it != none; ++it) {
      const std::string to = it->str(1);
      if (to.starts_with("http")) continue;
      EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(InSource(name)).parent_path() / to))
          << name << ": " << to;
    }
  }
}

// Runs every `sh` block in one shell; the `text` block behind one holds lines of what it prints.
TEST(Docs, GettingStartedWorksAsItIsWritten) {
  const std::string page = Page("docs/getting_started.md");
  std::string script = "set -euo pipefail\n";
  std::vector<std::pair<std::string, std::string>> expected;  // block's mark, line
  int marks = 0;
  for (const Block& block : BlocksOf(page)) {
    if (block.language == "sh")
      script += "echo MARK" + std::to_string(++marks) + ".\n" + block.text;
    if (block.language != "text") continue;
    std::istringstream lines(block.text);
    for (std::string line; std::getline(lines, line);) {
      expected.emplace_back("MARK" + std::to_string(marks) + ".", line);
    }
  }
  ASSERT_GE(marks, 4);
  ASSERT_GE(expected.size(), 10u);
  const ScratchFolder folder;
  Environment environment = SuiteEnvironment({});
  environment["PREFIX"] = Stage::Whole().prefix();
  environment["CC"] = PARITY_CC;
  const Finished run = RunProgram(
      {"bash", "-c",
       "cd " + folder.path() + " && source " + folder.Write("page.sh", script) + " 2>&1"},
      environment);
  ASSERT_EQ(run.exit_code, 0) << run.Text();
  for (const auto& [mark, line] : expected) {
    const std::size_t begin = run.out.find(mark);
    EXPECT_NE(run.out.substr(begin, run.out.find("MARK", begin + 1) - begin).find(line),
              std::string::npos)
        << mark << " " << line << "\n"
        << run.out;
  }
  EXPECT_EQ(ReadFileIfThere(folder.Path("my_engine/example.json")),
            ReadFileIfThere(InSource("docs/example/example.json")));
}

std::set<std::string> WordsOf(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

// What the build found on this machine, by package.
TEST(Docs, PackagesOfTheRunScriptAreAllThatIsUsed) {
  if (!std::filesystem::exists("/usr/bin/dpkg")) GTEST_SKIP() << "no dpkg here";
  const std::set<std::string> listed = WordsOf(RunProgram({InSource("run"), "packages"}).out);
  const std::string cache = Page(PARITY_BINARY_DIR "/CMakeCache.txt");
  // Packages of CMake's own, headers, tools; a compiler's file leads to its version's package.
  static const std::regex entry(
      "(?:[A-Za-z0-9_-]+_DIR|PARITY_XMLLINT|OPENSSL_INCLUDE_DIR|CMAKE_MAKE_PROGRAM)"
      ":[A-Z]+=(/usr/[^\n]+)");
  std::set<std::string> used;
  for (std::sregex_iterator it(cache.begin(), cache.end(), entry), none; it != none; ++it) {
    std::string path = it->str(1);
    if (path.starts_with("/usr/local/")) continue;  // of no package: a CUDA toolkit
    if (std::filesystem::path(path).filename() == "include") path += "/openssl/evp.h";
    const std::string owner = RunProgram({"dpkg", "-S", path}).out;
    used.insert(owner.substr(0, owner.find(':')));
  }
  EXPECT_THAT(used, ::testing::IsSupersetOf({"libgtest-dev", "libyaml-cpp-dev", "libxml2-utils"}));
  EXPECT_THAT(listed, ::testing::IsSupersetOf(used));
  // The page's list is for a build without tests.
  const std::string page = Page("docs/getting_started.md");
  const std::size_t at = page.find("apt-get install ");
  ASSERT_NE(at, std::string::npos);
  const std::size_t names = at + std::string("apt-get install ").size();
  EXPECT_THAT(listed,
              ::testing::IsSupersetOf(WordsOf(page.substr(names, page.find('\n', at) - names))));
}

TEST(Docs, TheEnginePageHoldsTheExample) {
  const std::vector<std::string> blocks = BlocksIn(Page("docs/engine.md"), "c");
  ASSERT_THAT(blocks, SizeIs(1));
  EXPECT_EQ(blocks[0], Page("docs/example/example_engine.c"));
}

TEST(Docs, TheCTestPageHoldsTheSuiteOfTheConsumer) {
  EXPECT_THAT(BlocksIn(Page("docs/ctest.md"), "cpp"),
              ::testing::ElementsAre(Page("tests/consumers/own_spans.cc")));
}

TEST(Docs, CiSnippetsAreYamlOfTheRightShape) {
  const std::vector<std::string> blocks = BlocksIn(Page("docs/ctest.md"), "yaml");
  ASSERT_THAT(blocks, SizeIs(2));
  const YAML::Node gitlab = YAML::Load(blocks[0]);
  ASSERT_TRUE(gitlab["parity"]["script"].IsSequence());
  EXPECT_TRUE(gitlab["parity"]["artifacts"]["reports"]["junit"].IsScalar());
  const YAML::Node github = YAML::Load(blocks[1]);
  ASSERT_TRUE(github["on"].IsSequence());
  for (const auto& step : github["jobs"]["parity"]["steps"]) {
    EXPECT_NE(step["uses"].IsDefined(), step["run"].IsDefined());
  }
  EXPECT_GE(github["jobs"]["parity"]["steps"].size(), 4u);
}

TEST(Docs, CMakeSnippetsAreUnderstood) {
  for (const char* page : {"docs/ctest.md", "docs/getting_started.md"}) {
    const std::vector<std::string> blocks = BlocksIn(Page(page), "cmake");
    ASSERT_THAT(blocks, SizeIs(1));
    const Consumer consumer({"docs/example"});
    std::filesystem::copy(consumer.Source("example.yaml"), consumer.Source("mine.yaml"));
    WriteFileAtomically(consumer.Source("CMakeLists.txt"),
                        "cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES C CXX)\n"
                        "enable_testing()\n"
                        "add_library(my_engine MODULE example_engine.c)\n"
                        "add_library(my_new_engine MODULE example_engine.c)\n" +
                            blocks[0]);
    const Finished run = consumer.Configure({"-DCMAKE_PREFIX_PATH=" + Stage::Whole().prefix()});
    EXPECT_EQ(run.exit_code, 0) << page << run.Text();
    EXPECT_THAT(consumer.CTest({"-N"}).out, HasSubstr("parity.spans.mine.ranks"));
  }
}

TEST(Docs, EveryArgumentOfParityAddSuiteIsExplained) {
  const std::string module = Page("ctest/GTestParity.cmake"), page = Page("docs/ctest.md");
  const std::size_t at = module.find("cmake_parse_arguments(SUITE ");
  ASSERT_NE(at, std::string::npos);
  static const std::regex word("[A-Z]{3,}");
  const std::string call = module.substr(at, module.find("${ARGN}", at) - at);
  std::set<std::string> names;
  for (std::sregex_iterator it(call.begin(), call.end(), word), none; it != none; ++it) {
    names.insert(it->str());
  }
  EXPECT_THAT(names, ::testing::IsSupersetOf({"NAME", "RESIDENT", "ARGS"}));
  for (const std::string& name : names) EXPECT_THAT(page, HasSubstr("`" + name + "`"));
}

TEST(Docs, EveryOutcomeAndClassIsExplained) {
  const std::string page = Page("docs/verdicts.md");
  for (const Outcome outcome : kAllOutcomes) {
    std::string name(NameOf(outcome));
    if (name.ends_with("*")) name.insert(name.size() - 1, "\\");
    EXPECT_THAT(page, HasSubstr("\n| " + name + " |"));
  }
  for (const SpanClass each : kAllSpanClasses) {
    EXPECT_THAT(page, HasSubstr("\n| `" + std::string(NameOf(each)) + "` |"));
  }
  for (int rule = 1; rule <= 9; ++rule) {
    EXPECT_THAT(page, HasSubstr("\n| " + std::to_string(rule) + " |"));
  }
}

// The flags that the pages name are flags of the suites.
TEST(Docs, FlagsAreThoseOfTheSuites) {
  const std::string help = RunProgram({PARITY_SPANS, "--help"}).out;
  static const std::regex flag("--parity_[a-z_]+");
  std::set<std::string> known, told;
  for (std::sregex_iterator it(help.begin(), help.end(), flag), none; it != none; ++it) {
    known.insert(it->str());
  }
  for (const std::string& name : Pages()) {
    const std::string page = Page(name);
    for (std::sregex_iterator it(page.begin(), page.end(), flag), none; it != none; ++it) {
      told.insert(it->str());
    }
  }
  EXPECT_THAT(known, ::testing::IsSupersetOf(told));
  EXPECT_THAT(told, Contains("--parity_dump"));
}

}  // namespace
}  // namespace parity::testing
