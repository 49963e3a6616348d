#include "suites/wire/transcript/import_capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/manifest/files.h"

namespace parity::wire {
namespace {

using ::testing::HasSubstr;

const Request kRequest = {Surface::kChat, "POST", "/v1/chat/completions", true, nullptr};

TEST(ImportCapture, OfAWholeResponse) {
  const TempFolder folder;
  const std::string bytes("HTTP/1.1 200 OK\r\n\r\ndata: \0\xff\r\n\r\n", 32);
  const Exchange exchange = ImportCapture(folder.Write("night.http", bytes), kRequest);
  EXPECT_EQ(exchange.name, "night");
  EXPECT_EQ(exchange.Received(), bytes);
  EXPECT_TRUE(exchange.has_head);
  EXPECT_FALSE(exchange.timed);
  EXPECT_TRUE(exchange.Has(EventKind::kPeerClosed));
  EXPECT_EQ(exchange.requests.at(0).surface, Surface::kChat);
}

TEST(ImportCapture, OfABodyAlone) {
  const TempFolder folder;
  const Exchange exchange = ImportCapture(folder.Write("a.sse", "data: 1\n\n"), kRequest);
  EXPECT_FALSE(exchange.has_head);
  EXPECT_THAT(exchange.Received(), ::testing::EndsWith("\r\n\r\ndata: 1\n\n"));
}

TEST(ImportCapture, WhatIsNoneIsTold) {
  const TempFolder folder;
  const auto error = [&](const std::string& path) {
    return ErrorOf([&] { ImportCapture(path, kRequest); });
  };
  EXPECT_THAT(error(folder.Write("a.txt", "x")), HasSubstr("got \".txt\", expected .http or .sse"));
  EXPECT_THAT(error(folder.Path("b.sse")), HasSubstr("cannot be read"));
  EXPECT_THAT(error(folder.Write("c.sse", "")), HasSubstr("at least one byte"));
  EXPECT_THAT(error(folder.Write("d.http", "data: x\n")), HasSubstr("got \"data: x\""));
}

}  // namespace
}  // namespace parity::wire
