#include "gtest_parity/manifest/yaml_expansion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/manifest/read_manifest.h"
#include "tests/manifest/files.h"

namespace parity {
namespace {

using testing::HasSubstr;

std::string Error(const std::string& text) {
  return ErrorOf([&] { ReadManifestText("m.yaml", text); });
}

// Each of `lines` aliases the one before nine times.
std::string Bomb(int lines, const std::string& last) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < lines; ++i) {
    std::string aliases;
    for (int k = 0; k < 9; ++k) aliases += (k == 0 ? "*a" : ", *a") + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + aliases + "]\n";
  }
  return text + last;
}

TEST(CheckExpansion, AliasesOfAliases) {
  EXPECT_THAT(Error(Bomb(12, "reference: {config: {all: *a11}}\n")),
              HasSubstr("too large, with every alias written out: expected at most 100000 values"));
  EXPECT_THAT(Error(Bomb(3, "")), testing::Not(HasSubstr("too large")));
}

TEST(CheckExpansion, MergesOfMerges) {
  std::string text = "m0: &m0 {a: 1}\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "*m" + std::to_string(i - 1), name = "m" + std::to_string(i);
    text += name + ": &" + name + " {<<: [" + before + ", " + before + "]}\n";
  }
  EXPECT_THAT(Error(text), HasSubstr("too large, with every alias written out"));
}

TEST(CheckExpansion, AnAliasInsideWhatItNames) {
  for (const char* text :
       {"reference: &r {config: &c {a: *c, b: [*r]}}\n", "&top\n<<: *top\n", "spans: &s [*s]\n"}) {
    EXPECT_THAT(Error(text), HasSubstr("nested too deep, or an alias inside what it names"))
        << text;
  }
}

TEST(CheckExpansion, BracketsWithoutEnd) {
  EXPECT_THAT(Error("name: " + std::string(65, '[') + std::string(65, ']')),
              HasSubstr("nested too deep"));
  // Beyond what the YAML library itself takes.
  EXPECT_THAT(Error("name: " + std::string(100000, '[')), HasSubstr("m.yaml:1:"));
}

}  // namespace
}  // namespace parity
