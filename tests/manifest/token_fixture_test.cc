// The fixture of the suite `tokens`: what it holds, and every error at once.
#include "gtest_parity/manifest/token_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TokenFixture Read(const std::string& text) {
  return ReadTokenFixture(JsonSource("tokens.json", text));
}

std::string Error(const std::string& text) {
  try {
    Read(text);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "no error";
}

std::string With(const std::string& rest) {
  return R"({"parity_tokens": 1, "source": "by hand", "special": {}, "texts": {})" + rest + "}";
}

TEST(TokenFixture, HoldsWhatItSays) {
  const TokenFixture fixture = Read(R"({"parity_tokens": 1, "source": "by hand",
    "special": {"bos": 0, "eos": [1, 5]},
    "texts": {"a": {"text": "a", "ids": [9], "with_special": [0, 9], "parsed": [9], "decoded": "a"},
              "b": {"hex": "ff00", "ids": [], "with_special": [0], "parsed": [], "decoded": ""}},
    "decodes": {"c": {"ids": [0, 9], "decoded": "a", "shown": "<s>a"}},
    "frames": {"d": {"messages": [{"role": "user", "content": "a"}], "ids": [0, 9]}}})");
  EXPECT_EQ(fixture.source, "by hand");
  ASSERT_EQ(fixture.special.size(), 2u);
  EXPECT_THAT(fixture.special[1].ids, ElementsAre(1, 5));
  ASSERT_EQ(fixture.texts.size(), 2u);
  EXPECT_THAT(fixture.texts[0].with_special, ElementsAre(0, 9));
  EXPECT_EQ(fixture.texts[1].bytes, std::string("\xff\0", 2));
  EXPECT_EQ(fixture.decodes.at(0).shown, "<s>a");
  EXPECT_EQ(fixture.frames.at(0).messages, R"([{"content":"a","role":"user"}])");
}

TEST(TokenFixture, TheShippedOneIsRead) {
  const TokenFixture fixture =
      ReadTokenFixture(JsonSource(PARITY_SOURCE_DIR "/manifests/tiny/tokens.json"));
  EXPECT_GE(fixture.texts.size(), 20u);
  EXPECT_GE(fixture.decodes.size(), 5u);
  EXPECT_GE(fixture.frames.size(), 5u);
}

TEST(TokenFixture, EveryErrorIsReported) {
  EXPECT_THAT(
      Error(R"({"parity_tokens": 2, "source": "", "special": {"bos": -1},
                        "texts": {"A b": {"text": "a", "hex": "61", "ids": [1.5],
                                          "with_special": 3, "parsed": []}}, "more": 1})"),
      AllOf(HasSubstr("/parity_tokens: wrong version: got 2, expected 1"),
            HasSubstr("/special/bos: wrong value: got -1, expected ids"),
            HasSubstr("/texts/A b: name: got \"A b\", expected [a-z0-9_]+"),
            HasSubstr("expected either \"text\" or \"hex\""),
            HasSubstr("/texts/A b/ids: wrong value: got 1.5"), HasSubstr("/texts/A b/with_special"),
            HasSubstr("missing key \"decoded\""), HasSubstr("/more: unknown key")));
}

TEST(TokenFixture, HexIsPairsOfDigits) {
  for (const char* hex : {"f", "fg", "FF"}) {
    EXPECT_THAT(
        Error(R"({"parity_tokens": 1, "source": "", "special": {}, "texts": {"a": {"hex": ")" +
              std::string(hex) + R"(", "ids": [], "with_special": [], "parsed": [],
                      "decoded": ""}}})"),
        HasSubstr("expected pairs of the digits 0 to 9 and a to f"))
        << hex;
  }
}

TEST(TokenFixture, AnIdBeyondAnInt32IsRefused) {
  EXPECT_THAT(
      Error(With(R"(, "decodes": {"a": {"ids": [2147483648], "decoded": "", "shown": ""}})")),
      HasSubstr("expected ids, whole numbers from 0"));
}

TEST(TokenFixture, MessagesAreCheckedToo) {
  EXPECT_THAT(
      Error(With(R"(, "frames": {"a": {"messages": [{"role": 1, "text": ""}], "ids": []}})")),
      AllOf(HasSubstr("/frames/a/messages/0/role"), HasSubstr("missing key \"content\""),
            HasSubstr("/frames/a/messages/0/text: unknown key")));
}

}  // namespace
}  // namespace parity
