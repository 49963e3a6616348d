#include "gtest_parity/manifest/resolve.h"

#include <gtest/gtest.h>

namespace parity {
namespace {

using nlohmann::json;

const json kKnown =
    json::parse(R"({"save": [{"text": " void", "n": 3, "calls": [{"id": "c1"}]}]})");

TEST(Resolve, PutsTextWhereItIsNamed) {
  EXPECT_EQ(Resolve("and ${/save/0/text}, ${/save/0/n}.", kKnown), "and  void, 3.");
  EXPECT_EQ(Resolve("nothing is named", kKnown), "nothing is named");
}

TEST(Resolve, AStringThatIsNothingElseBecomesTheValue) {
  EXPECT_EQ(Resolve("${/save/0/n}", kKnown), 3);
  EXPECT_EQ(Resolve("${/save/0/calls}", kKnown), json::parse(R"([{"id": "c1"}])"));
}

TEST(Resolve, LooksIntoObjectsAndArrays) {
  const json request = {{"messages", {{{"content", "${/save/0/text}"}}}}, {"max_tokens", 4}};
  const json resolved = Resolve(request, kKnown);
  EXPECT_EQ(resolved.at("messages")[0].at("content"), " void");
  EXPECT_EQ(resolved.at("max_tokens"), 4);
}

std::string ErrorOf(const json& request) {
  try {
    Resolve(request, kKnown);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Resolve, NamesWhatIsNotThere) {
  EXPECT_EQ(ErrorOf("${/save/1/text}"), "${/save/1/text}: nothing is there");
  EXPECT_EQ(ErrorOf("${no pointer}"), "${no pointer}: nothing is there");
  EXPECT_EQ(ErrorOf("x ${/save/0/calls}"),
            "${/save/0/calls}: array, expected text or a number within a string");
  EXPECT_EQ(ErrorOf("x ${/save"), "no } behind ${/save");
}

}  // namespace
}  // namespace parity
