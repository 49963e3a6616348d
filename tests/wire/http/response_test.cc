#include "suites/wire/http/response.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity::wire {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ResponseStream Parse(const std::string& bytes, bool ended = true,
                     const std::vector<std::string>& methods = {"POST"}) {
  return ParseResponses(bytes, ended, methods);
}

TEST(Responses, OfADeclaredLength) {
  const ResponseStream stream =
      Parse("HTTP/1.1 200 OK\r\ncontent-LENGTH: 3\r\nX-A:  b \r\n\r\nabc", false);
  ASSERT_EQ(stream.responses.size(), 1u);
  const Response& response = stream.responses[0];
  EXPECT_EQ(response.status, 200u);
  EXPECT_EQ(response.framing, Framing::kLength);
  EXPECT_EQ(response.declared_length, 3u);
  EXPECT_EQ(response.body, "abc");
  EXPECT_EQ(*response.Find("x-a"), "b ");
  EXPECT_EQ(response.Find("x-b"), nullptr);
  EXPECT_TRUE(response.complete);
  EXPECT_TRUE(response.keeps_alive);
  EXPECT_THAT(stream.error, IsEmpty());
}

TEST(Responses, Chunked) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const ResponseStream stream =
      Parse(head + "5;name=value\r\nhello\r\n00A\r\n0123456789\r\n0\r\nX-End: 1\r\n\r\n", false);
  ASSERT_EQ(stream.responses.size(), 1u);
  const Response& response = stream.responses[0];
  EXPECT_EQ(response.framing, Framing::kChunked);
  EXPECT_THAT(response.chunks, ElementsAre(5, 10));
  EXPECT_EQ(response.body, "hello0123456789");
  EXPECT_TRUE(response.complete);
  ASSERT_EQ(response.trailers.size(), 1u);
  EXPECT_EQ(response.trailers[0].name, "X-End");
  EXPECT_EQ(response.WireOffset(0), head.size() + 14);
  EXPECT_EQ(response.WireOffset(4), head.size() + 18);
  EXPECT_EQ(response.WireOffset(5), head.size() + 26);
}

TEST(Responses, AMissingLastChunkStaysVisible) {
  const ResponseStream stream =
      Parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
  ASSERT_EQ(stream.responses.size(), 1u);
  EXPECT_EQ(stream.responses[0].body, "hello");
  EXPECT_FALSE(stream.responses[0].complete);
  EXPECT_THAT(stream.error, HasSubstr("ended at an unexpected time"));
}

TEST(Responses, AWrongLengthStaysVisible) {
  const ResponseStream longer = Parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc");
  EXPECT_FALSE(longer.responses.at(0).complete);
  const ResponseStream shorter = Parse("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc");
  EXPECT_TRUE(shorter.responses.at(0).complete);
  EXPECT_EQ(shorter.rest, "c");
  EXPECT_FALSE(shorter.error.empty());
  const ResponseStream chunk =
      Parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n");
  EXPECT_FALSE(chunk.responses.at(0).complete);
  EXPECT_EQ(chunk.responses.at(0).body, "ab");
}

TEST(Responses, UntilClose) {
  const std::string bytes = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ndata";
  const ResponseStream open = Parse(bytes, false);
  EXPECT_EQ(open.responses.at(0).framing, Framing::kUntilClose);
  EXPECT_FALSE(open.responses[0].complete);
  EXPECT_FALSE(open.error.empty());
  const ResponseStream closed = Parse(bytes, true);
  EXPECT_TRUE(closed.responses.at(0).complete);
  EXPECT_FALSE(closed.responses[0].keeps_alive);
  EXPECT_EQ(closed.responses[0].body, "data");
}

TEST(Responses, SeveralOnOneConnection) {
  const ResponseStream stream = Parse(
      "HTTP/1.1 100 Continue\r\n\r\n"
      "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
      "HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n"
      "HTTP/1.0 404 Not Found\r\nContent-Length: 1\r\n\r\nx",
      true, {"HEAD", "OPTIONS", "GET"});
  ASSERT_EQ(stream.responses.size(), 4u);
  EXPECT_TRUE(stream.responses[0].IsInterim());
  EXPECT_EQ(stream.Answers().size(), 3u);
  EXPECT_EQ(stream.Answers()[0]->framing, Framing::kNoBody);
  EXPECT_EQ(stream.Answers()[2]->status, 404u);
  EXPECT_EQ(stream.Answers()[2]->minor, 0u);
  EXPECT_FALSE(stream.Answers()[2]->keeps_alive);
  EXPECT_THAT(stream.error, IsEmpty());
}

TEST(Responses, WhatIsNoneIsTheRest) {
  const ResponseStream noise = Parse("hello");
  EXPECT_THAT(noise.responses, IsEmpty());
  EXPECT_EQ(noise.rest, "hello");
  EXPECT_FALSE(noise.error.empty());
  const ResponseStream cut = Parse("HTTP/1.1 200 OK\r\nContent-Le");
  EXPECT_THAT(cut.responses, IsEmpty());
  EXPECT_FALSE(cut.error.empty());
  EXPECT_THAT(Parse("").error, IsEmpty());
}

}  // namespace
}  // namespace parity::wire
