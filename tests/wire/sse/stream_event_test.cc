#include "suites/wire/sse/stream_event.h"

#include <gtest/gtest.h>

namespace parity::wire {
namespace {

TEST(StreamEvents, JsonAndTheEnd) {
  const auto events =
      EventsOf(DecodeSse("event: a\ndata: {\"n\":\ndata: 1}\n\ndata: [DONE]\n\ndata: 1\n\ndata: "
                         "{\n\ndata: {} {}\n\n"));
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[0].name, "a");
  EXPECT_EQ(events[0].data["n"], 1);
  EXPECT_TRUE(events[1].is_done);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_TRUE(events[i].data.is_null()) << i;
}

TEST(StreamEvents, BracketsWithoutEndAreNone) {
  const std::string deep = "{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}";
  EXPECT_TRUE(EventsOf(DecodeSse("data: " + deep + "\n\n")).at(0).data.is_null());
}

TEST(StreamEvents, HalvesOfAPair) {
  EXPECT_FALSE(HasLoneSurrogate(R"("\ud83d\ude00 \u00e9 \\ud83d")"));
  EXPECT_TRUE(HasLoneSurrogate(R"("\ud83d")"));
  EXPECT_TRUE(HasLoneSurrogate(R"("\ud83d\u0041")"));
  EXPECT_TRUE(HasLoneSurrogate(R"("\ude00")"));
  EXPECT_TRUE(HasLoneSurrogate(R"("\\\ud83dx")"));
  EXPECT_TRUE(HasLoneSurrogate(R"("\ud83d\ude00\ud83d)"));
}

}  // namespace
}  // namespace parity::wire
