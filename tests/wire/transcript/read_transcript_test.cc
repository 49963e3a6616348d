#include "suites/wire/transcript/read_transcript.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/wire/transcript/write_transcript.h"
#include "tests/manifest/files.h"

namespace parity::wire {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Transcript Whole() {
  Exchange scrape;
  scrape.name = "metrics/before";
  scrape.before = "chat/cut";
  scrape.requests = {{Surface::kMetrics, "GET", "/metrics", false, nullptr}};
  scrape.events = {{EventKind::kRefused, 5, ""}};
  Exchange exchange;
  exchange.name = "chat/cut";
  exchange.lane = "serial";
  exchange.probe = "dribbled";
  exchange.same_as = exchange.same_prompt_as = exchange.cut_of = "metrics/before";
  exchange.warm_of = exchange.after = "metrics/before";
  exchange.marker = "MARK";
  exchange.timed = false;
  exchange.has_head = false;
  exchange.requests = {{Surface::kChat, "POST", "/v1/chat/completions", true, {{"n", 2}}},
                       {Surface::kOther, "HEAD", "/", false, nullptr}};
  exchange.events = {{EventKind::kSent, 0, "POST / HTTP/1.1\r\n"},
                     {EventKind::kSent, 0, std::string("\0\x01 \"\\", 5)},
                     {EventKind::kHalfClosed, 10, ""},
                     {EventKind::kReceived, 11,
                      "\xEF\xBB\xBF"
                      "data: \xF0\x9F\x98"},
                     {EventKind::kReceived, 12, "\x80\n\n"},
                     {EventKind::kReset, 12, ""},
                     {EventKind::kTimedOut, 13, ""},
                     {EventKind::kClosed, 14, ""},
                     {EventKind::kPeerClosed, 15, ""}};
  return {"candidate", "tiny_server ported", {scrape, exchange}};
}

TEST(Transcript, IsReadAsItWasWritten) {
  const std::string text = TextOf(Whole());
  const Transcript read = ReadTranscriptText("t.jsonl", text);
  EXPECT_EQ(TextOf(read), text);
  EXPECT_EQ(read.side, "candidate");
  EXPECT_EQ(read.server, "tiny_server ported");
  ASSERT_EQ(read.exchanges.size(), 2u);
  const Exchange& exchange = *read.Find("chat/cut");
  EXPECT_EQ(exchange.probe, "dribbled");
  EXPECT_EQ(exchange.marker, "MARK");
  EXPECT_FALSE(exchange.timed);
  EXPECT_FALSE(exchange.has_head);
  ASSERT_EQ(exchange.requests.size(), 2u);
  EXPECT_EQ(exchange.requests[0].surface, Surface::kChat);
  EXPECT_TRUE(exchange.requests[0].streamed);
  EXPECT_EQ(exchange.requests[0].body["n"], 2);
  EXPECT_EQ(exchange.requests[1].method, "HEAD");
  EXPECT_TRUE(exchange.requests[1].body.is_null());
  ASSERT_EQ(exchange.events.size(), 9u);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(exchange.events[i].kind, Whole().exchanges[1].events[i].kind) << i;
    EXPECT_EQ(exchange.events[i].bytes, Whole().exchanges[1].events[i].bytes) << i;
    EXPECT_EQ(exchange.events[i].at_us, Whole().exchanges[1].events[i].at_us) << i;
  }
  EXPECT_EQ(read.Find("chat"), nullptr);
}

TEST(Transcript, TextStaysTextAndBytesBecomeBase64) {
  const std::string text = TextOf(Whole());
  EXPECT_THAT(text, HasSubstr("{\"at_us\":0,\"sent\":\"POST / HTTP/1.1\\r\\n\"}\n"));
  EXPECT_THAT(text, HasSubstr("{\"at_us\":12,\"received_base64\":\"gAoK\"}\n"));
}

TEST(Transcript, KnowsWhenAByteCame) {
  const Exchange exchange = Whole().exchanges[1];
  EXPECT_EQ(exchange.Received().size(), 15u);
  EXPECT_EQ(exchange.ReceivedAt(0), 11);
  EXPECT_EQ(exchange.ReceivedAt(11), 11);
  EXPECT_EQ(exchange.ReceivedAt(12), 12);
  EXPECT_EQ(exchange.ReceivedAt(1000), 12);
  EXPECT_EQ(exchange.Sent().size(), 22u);
  EXPECT_TRUE(exchange.Has(EventKind::kHalfClosed));
  EXPECT_FALSE(exchange.Has(EventKind::kRefused));
}

TEST(Transcript, KnowsWhoLeft) {
  const auto left = [](std::vector<EventKind> kinds) {
    Exchange exchange;
    for (const EventKind kind : kinds) exchange.events.push_back({kind, 0, ""});
    return exchange.ClientLeft();
  };
  EXPECT_TRUE(left({EventKind::kHalfClosed, EventKind::kClosed, EventKind::kPeerClosed}));
  for (const EventKind end :
       {EventKind::kPeerClosed, EventKind::kReset, EventKind::kRefused, EventKind::kTimedOut}) {
    EXPECT_FALSE(left({end, EventKind::kClosed}));
  }
  EXPECT_FALSE(left({}));
}

TEST(Transcript, PathsNameSurfaces) {
  EXPECT_EQ(SurfaceOf("/v1/messages?beta=true"), Surface::kMessages);
  EXPECT_EQ(SurfaceOf("/v1/models/tiny"), Surface::kModels);
  EXPECT_EQ(SurfaceOf("/v1/modelsx"), Surface::kOther);
}

constexpr char kHead[] = R"({"wire_transcript":1,"side":"reference","server":"s"})";
constexpr char kExchange[] =
    R"({"exchange":"a","requests":[{"surface":"chat","method":"POST","path":"/","streamed":false}]})";

// The message for lines between a good head, a good exchange's first line and its end.
std::string ErrorWith(const std::string& lines, const std::string& end = "{\"end\":1}\n") {
  return ErrorOf([&] {
    ReadTranscriptText("t.jsonl", std::string(kHead) + "\n" + kExchange + "\n" + lines + end);
  });
}

TEST(Transcript, ErrorsSayWhichLineAndWhatWasExpected) {
  EXPECT_THAT(ErrorOf([] { ReadTranscriptText("t.jsonl", ""); }), HasSubstr("wire_transcript"));
  EXPECT_THAT(ErrorOf([] { ReadTranscript("/nowhere/t.jsonl"); }), HasSubstr("cannot be read"));
  EXPECT_THAT(
      ErrorOf([] {
        ReadTranscriptText("t.jsonl", R"({"wire_transcript":2,"side":"other","server":"s"})");
      }),
      AllOf(HasSubstr("t.jsonl:1"), HasSubstr("got 2, expected 1"), HasSubstr("\"other\"")));
  EXPECT_THAT(ErrorWith("{\"at_us\":1,\"event\":\"closd\"}\n"),
              AllOf(HasSubstr("t.jsonl:3"), HasSubstr("\"closd\""), HasSubstr("\"closed\"")));
  EXPECT_THAT(ErrorWith("{\"at_us\":1,\"event\":\"sent\"}\n"), HasSubstr("unknown event"));
  EXPECT_THAT(ErrorWith("{\"at_us\":1,\"recieved\":\"x\"}\n"), HasSubstr("\"received\""));
  EXPECT_THAT(ErrorWith("{\"at_us\":1,\"sent\":\"x\",\"received\":\"y\"}\n"),
              HasSubstr("one of \"event\""));
  EXPECT_THAT(ErrorWith("{\"at_us\":1}\n"), HasSubstr("one of \"event\""));
  EXPECT_THAT(ErrorWith("{\"at_us\":1,\"sent\":\"\"}\n"), HasSubstr("not empty"));
  EXPECT_THAT(ErrorWith("{\"at_us\":-1,\"sent\":\"x\"}\n"), HasSubstr("whole number"));
  EXPECT_THAT(ErrorWith("{\"at_us\":1,\"sent_base64\":\"====\"}\n"), HasSubstr("base64"));
  EXPECT_THAT(ErrorWith("{\"at_us\":1,\"sent_base64\":\"gB==\"}\n"), HasSubstr("base64"));
  EXPECT_THAT(ErrorWith("{\"at_us\":1,\"sen\n"), HasSubstr("t.jsonl:3"));
  EXPECT_THAT(
      ErrorWith("{\"at_us\":2,\"sent\":\"x\"}\n{\"at_us\":1,\"sent\":\"x\"}\n", "{\"end\":2}\n"),
      AllOf(HasSubstr("t.jsonl:4"), HasSubstr("at_us falls")));
}

TEST(Transcript, AnExchangeThatDoesNotEndIsAnError) {
  EXPECT_THAT(ErrorWith("", ""), HasSubstr("does not end"));
  EXPECT_THAT(ErrorWith("", "{\"end\":1}\n"), HasSubstr("got 1, expected 0"));
  EXPECT_THAT(ErrorWith(std::string(kExchange) + "\n", "{\"end\":0}\n"),
              AllOf(HasSubstr("an exchange begins"), HasSubstr("used before")));
  EXPECT_THAT(ErrorWith("", "{\"end\":0}\n{\"end\":0}\n"), HasSubstr("outside an exchange"));
}

TEST(Transcript, RequestsAndNamesAreChecked) {
  const auto error = [](const std::string& exchange) {
    return ErrorOf([&] {
      ReadTranscriptText("t.jsonl", std::string(kHead) + "\n" + exchange + "\n{\"end\":0}\n");
    });
  };
  EXPECT_THAT(error(R"({"exchange":"a","requests":[]})"), HasSubstr("at least one"));
  EXPECT_THAT(error(R"({"exchange":"a"})"), HasSubstr("missing key \"requests\""));
  EXPECT_THAT(error(R"({"exchange":"a","requests":[{"surface":"chet","method":"POST"}]})"),
              AllOf(HasSubstr("\"chat\""), HasSubstr("missing key \"path\"")));
  std::string named = kExchange;
  named.insert(named.size() - 1, R"(,"same_as":"b")");
  EXPECT_THAT(error(named), AllOf(HasSubstr("t.jsonl:2"), HasSubstr("same_as: got \"b\"")));
  named.replace(named.find("\"b\""), 3, "\"a\"");
  EXPECT_THAT(error(named), HasSubstr("another exchange"));
}

}  // namespace
}  // namespace parity::wire
