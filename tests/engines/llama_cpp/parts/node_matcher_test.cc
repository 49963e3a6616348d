#include "gtest_parity/engines/llama_cpp/node_matcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/engines/llama_cpp/error.h"

namespace parity::llama_cpp {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

const std::vector<Cut> kCuts = {{"first", "", "", {"a", "", 0}, "f32", {}, {}, false},
                                {"second", "", "", {"b", "ADD", 1}, "f32", {}, {}, false},
                                {"third", "", "", {"a", "", 1}, "f32", {}, {}, false}};

TEST(NodeMatcher, CountsOccurrencesByNameAndOp) {
  NodeMatcher matcher(kCuts);
  for (int piece = 0; piece < 2; ++piece) {
    EXPECT_TRUE(matcher.between_pieces());
    EXPECT_THAT(matcher.Match("a", "MUL"), Optional(0u));
    EXPECT_FALSE(matcher.between_pieces());
    EXPECT_EQ(matcher.Match("c", "ADD"), std::nullopt);
    EXPECT_EQ(matcher.Match("b", "ADD"), std::nullopt);
    EXPECT_EQ(matcher.Match("b", "MUL"), std::nullopt);
    EXPECT_THAT(matcher.Match("b", "ADD"), Optional(1u));
    EXPECT_THAT(matcher.Match("a", "MUL"), Optional(2u));
  }
  EXPECT_TRUE(matcher.between_pieces());
}

TEST(NodeMatcher, BeginsAnewWhenItIsReset) {
  NodeMatcher matcher(kCuts);
  matcher.Match("a", "MUL");
  matcher.Reset();
  EXPECT_THAT(matcher.Match("a", "MUL"), Optional(0u));
}

TEST(NodeMatcher, RefusesAGraphThatLacksACut) {
  NodeMatcher matcher(kCuts);
  matcher.Match("a", "MUL");
  try {
    matcher.Match("a", "MUL");
    FAIL() << "took a graph without its second cut";
  } catch (const EngineError& error) {
    EXPECT_THAT(error.what(), HasSubstr("node \"a\" of third where that of second (\"b\")"));
  }
}

}  // namespace
}  // namespace parity::llama_cpp
