#include "suites/wire/sse/sse_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace parity::wire {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> DataOf(const SseStream& stream) {
  std::vector<std::string> data;
  for (const SseFrame& frame : stream.frames) data.push_back(frame.data);
  return data;
}

// The examples of the WHATWG's section 9.2.6.
TEST(Sse, ExamplesOfTheStandard) {
  EXPECT_THAT(DataOf(DecodeSse("data: YHOO\ndata: +2\ndata: 10\n\n")), ElementsAre("YHOO\n+2\n10"));
  const SseStream comments = DecodeSse(
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event");
  EXPECT_THAT(DataOf(comments), ElementsAre("first event", "second event"));
  EXPECT_EQ(comments.cut->data, " third event");
  EXPECT_THAT(DataOf(DecodeSse("data\n\ndata\ndata\n\ndata:")), ElementsAre("\n"));
  EXPECT_THAT(DataOf(DecodeSse("data:test\n\ndata: test\n\n")), ElementsAre("test", "test"));
}

TEST(Sse, EveryEndOfALine) {
  for (const char* end : {"\n", "\r", "\r\n"}) {
    const std::string e = end;
    const SseStream stream =
        DecodeSse("event: a" + e + "data: 1" + e + e + "data: 2" + e + "data: 3" + e + e);
    EXPECT_THAT(DataOf(stream), ElementsAre("1", "2\n3"));
    EXPECT_EQ(stream.frames[0].event, "a");
    EXPECT_TRUE(stream.frames[0].has_event);
    EXPECT_EQ(stream.frames[0].data_lines, 1u);
    EXPECT_EQ(stream.frames[1].data_lines, 2u);
    EXPECT_EQ(stream.cut, std::nullopt);
  }
  EXPECT_THAT(DataOf(DecodeSse("data: 1\r\r\ndata: 2\n\r\n")), ElementsAre("1", "2"));
}

TEST(Sse, AMarkCountsAtTheStartAlone) {
  const SseStream stream = DecodeSse(
      "\xEF\xBB\xBF"
      "data: 1\n\n\xEF\xBB\xBF"
      "data: 2\n\n");
  EXPECT_TRUE(stream.has_mark);
  EXPECT_THAT(DataOf(stream), ElementsAre("1"));
  ASSERT_EQ(stream.unknown.size(), 1u);
  EXPECT_EQ(stream.unknown[0].text,
            "\xEF\xBB\xBF"
            "data: 2");
}

TEST(Sse, WhatClientsPassOverIsKept) {
  const SseStream stream = DecodeSse(
      ": prefill\n\n:\ndata: 1\n: inside\nerror: {}\nretry: 10\nid: 7\n\nevent: ping\n\n");
  ASSERT_EQ(stream.comments.size(), 3u);
  EXPECT_EQ(stream.comments[0].text, " prefill");
  EXPECT_EQ(stream.comments[1].text, "");
  EXPECT_FALSE(stream.comments[1].inside_event);
  EXPECT_TRUE(stream.comments[2].inside_event);
  ASSERT_EQ(stream.unknown.size(), 1u);
  EXPECT_EQ(stream.unknown[0].text, "error: {}");
  EXPECT_EQ(stream.ids.size(), 1u);
  EXPECT_EQ(stream.retries.size(), 1u);
  ASSERT_EQ(stream.without_data.size(), 1u);
  EXPECT_EQ(stream.without_data[0].event, "ping");
}

TEST(Sse, FramesKnowWhereTheyLie) {
  const SseStream stream = DecodeSse(":c\r\ndata: 1\r\n\r\ndata: 2\n\n");
  ASSERT_EQ(stream.frames.size(), 2u);
  EXPECT_EQ(stream.frames[0].begin, 4u);
  EXPECT_EQ(stream.frames[0].end, 14u);
  EXPECT_EQ(stream.frames[1].begin, 15u);
  EXPECT_EQ(stream.frames[1].end, 24u);
}

// Whatever pieces the network makes of a body, a client gets the same events.
TEST(Sse, AnyPiecesGiveTheSame) {
  const std::string parts[] = {"data: ", "event: x", "\n",           "\r\n",         "\r",   ":",
                               "\n\n",   "id",       "\xEF\xBB\xBF", "\xE4\xBD\xA0", "data", "{}",
                               "[DONE]", ""};
  std::mt19937 random(20);
  std::size_t events = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string body;
    for (int i = 0; i < 20; ++i) body += parts[random() % std::size(parts)];
    const SseStream whole = DecodeSse(body);
    events += whole.frames.size();
    SseDecoder decoder;
    for (std::size_t at = 0; at < body.size();) {
      const std::size_t size = 1 + random() % 4;
      decoder.Feed(std::string_view(body).substr(at, size));
      at += size;
    }
    ASSERT_TRUE(decoder.End() == whole) << body;
  }
  EXPECT_GT(events, 200u);
}

}  // namespace
}  // namespace parity::wire
