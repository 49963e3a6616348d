#include "gtest_parity/manifest/json_text.h"

#include <gtest/gtest.h>

namespace parity {
namespace {

std::vector<std::string> Keys(const std::string& text) {
  std::vector<std::string> keys;
  for (const DuplicateKey& one : FindDuplicateKeys(text)) {
    EXPECT_EQ(text.substr(one.byte + 1, one.key.size()), one.key);
    keys.push_back(one.key);
  }
  return keys;
}

TEST(FindDuplicateKeys, OnlyWithinOneObject) {
  using List = std::vector<std::string>;
  EXPECT_EQ(Keys(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]})"), List());
  EXPECT_EQ(Keys(R"({"a": 1, "b": 2, "a" : 3})"), List({"a"}));
  EXPECT_EQ(Keys(R"({"a": {"x": 1, "x": 2}, "a": 3})"), List({"x", "a"}));
  EXPECT_EQ(Keys(R"(["a", "a"])"), List());
  EXPECT_EQ(Keys(R"({"a": "a", "b": "{\"b\": 1, \"b\": 2}"})"), List());
  EXPECT_EQ(Keys(R"("just a string")"), List());
}

TEST(FindDuplicateKeys, InLargeObjectsToo) {
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += "\"k" + std::to_string(i) + "\": 0, ";
  EXPECT_EQ(Keys(text + "\"new\": 1}").size(), 0u);
  EXPECT_EQ(Keys(text + "\"k3\": 1, \"k99\": 1}").size(), 2u);
}

TEST(FindDeeper, CountsBracketsOutsideStrings) {
  EXPECT_EQ(FindDeeper(R"([{"a": "[[[\"[{"}, [1], {}])", 2), std::string::npos);
  EXPECT_EQ(FindDeeper(R"([[], [{"a": []}]])", 2), 6u);
  EXPECT_EQ(FindDeeper("[]", 0), 0u);
  EXPECT_EQ(FindDeeper("7", 0), std::string::npos);
}

}  // namespace
}  // namespace parity
