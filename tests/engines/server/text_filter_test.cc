#include "gtest_parity/engines/tiny/server/text_filter.h"

#include <gtest/gtest.h>

namespace parity::tiny_server {
namespace {

struct Told {
  std::string reasoning, text;
  bool operator==(const Told&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Told& told) {
  return out << "{" << told.reasoning << "|" << told.text << "}";
}

void Add(Told& told, const std::vector<TapeEvent>& events) {
  for (const TapeEvent& event : events) {
    (event.kind == TapeEvent::Kind::kText ? told.text : told.reasoning) += event.text;
  }
}

// What is told when the text comes `step` bytes at a time.
Told Filtered(TextFilter filter, const std::string& text, std::size_t step, bool finishes = true) {
  Told told;
  for (std::size_t at = 0; at < text.size(); at += step) {
    Add(told, filter.On(text.substr(at, step)));
  }
  if (finishes && !filter.stopped()) Add(told, filter.Finish());
  return told;
}

struct Case {
  const char* name;
  std::vector<std::string> stops;
  bool thinks;
  std::string text;
  Told told;
};

class TextFilterCases : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    All, TextFilterCases,
    testing::Values(Case{"plain", {}, false, "a</think>b", {"", "a</think>b"}},
                    Case{"thinking", {}, true, "so</think>yes", {"so", "yes"}},
                    Case{"thinking_alone", {}, true, "so on", {"so on", ""}},
                    Case{"beginning_of_the_marker", {}, true, "a</thi", {"a</thi", ""}},
                    Case{"two_markers", {}, true, "a</think>b</think>", {"a", "b</think>"}},
                    Case{"stop", {"END"}, false, "some ENDmore", {"", "some "}},
                    Case{"stop_at_once", {"END"}, false, "END", {"", ""}},
                    Case{"stop_begun", {"END"}, false, "some EN", {"", "some EN"}},
                    Case{"stop_begun_twice", {"aab"}, false, "aaab!", {"", "a"}},
                    Case{"no_stop_in_thinking", {"so"}, true, "so</think>a so b", {"so", "a "}},
                    Case{"whole_first", {"abcd", "c"}, false, "xabcd", {"", "xab"}},
                    Case{"longer_of_two", {"b", "ab"}, false, "xab", {"", "x"}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_P(TextFilterCases, TellTheSameHoweverTheTextComes) {
  const Case& test = GetParam();
  for (std::size_t step = 1; step <= test.text.size(); ++step) {
    EXPECT_EQ(Filtered({test.stops, test.thinks}, test.text, step), test.told) << step;
  }
}

TEST(TextFilter, NothingThatMayBeAStopStringIsTold) {
  EXPECT_EQ(Filtered({{"END"}, false}, "some EN", 1, false).text, "some ");
  EXPECT_EQ(Filtered({{}, true}, "so</th", 1, false).reasoning, "so");
}

TEST(TextFilter, SaysWhichStopStringItWas) {
  TextFilter filter({"x", "END"}, false);
  filter.On("the END");
  EXPECT_TRUE(filter.stopped());
  EXPECT_EQ(filter.stop(), "END");
  EXPECT_TRUE(filter.On("more").empty());
}

}  // namespace
}  // namespace parity::tiny_server
