#include "suites/wire/http/content_coding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/wire/transcript/base64.h"

namespace parity::wire {
namespace {

// Of "event: one\n\nevent: two\n\n", made by Python's gzip and zlib.
constexpr char kText[] = "event: one\n\nevent: two\n\n";
const std::string kGzip = *FromBase64("H4sIAAAAAAACA0stS80rsVLIz0vl4kqFsEvK87m4AATVqeUYAAAA");
const std::string kZlib = *FromBase64("eNpLLUvNK7FSyM9L5eJKhbBLyvO5uABn0we9");

Response Parsed(const std::string& coding, const std::string& framing, const std::string& body) {
  const std::string bytes =
      "HTTP/1.1 200 OK\r\nContent-Encoding: " + coding + "\r\n" + framing + "\r\n\r\n" + body;
  return ParseResponses(bytes, true, {"POST"}).responses.at(0);
}

Response Coded(const std::string& coding, const std::string& body) {
  return Parsed(coding, "Content-Length: " + std::to_string(body.size()), body);
}

TEST(ContentCoding, IsTakenOff) {
  for (const auto& [coding, body] :
       {std::pair{"gzip", kGzip}, {"GZIP", kGzip}, {"x-gzip", kGzip}, {"deflate", kZlib}}) {
    SCOPED_TRACE(coding);
    const Response response = Coded(coding, body);
    EXPECT_EQ(response.body, kText);
    EXPECT_EQ(response.body_bytes, body.size());
    EXPECT_EQ(response.coding_error, "");
    EXPECT_TRUE(response.complete);
  }
}

TEST(ContentCoding, IdentityIsNone) {
  const Response response = Coded("identity", "abc");
  EXPECT_EQ(response.body, "abc");
  EXPECT_EQ(response.coding, "");
  EXPECT_EQ(Coded("", "abc").body, "abc");
}

TEST(ContentCoding, WhatIsDamagedIsToldWithWhatCameOut) {
  EXPECT_EQ(Coded("gzip", kGzip.substr(0, kGzip.size() - 8)).coding_error, "ends early");
  EXPECT_EQ(Coded("gzip", kGzip.substr(0, kGzip.size() - 8)).body, kText);
  std::string sum = kGzip;
  sum[sum.size() - 8] ^= 1;
  EXPECT_EQ(Coded("gzip", sum).coding_error, "incorrect data check");
  EXPECT_EQ(Coded("gzip", "{\"a\": 1}").coding_error, "incorrect header check");
  EXPECT_EQ(Coded("gzip", kGzip + "x").coding_error, "bytes behind its end");
  EXPECT_EQ(Coded("gzip", "").coding_error, "ends early");
  EXPECT_EQ(Coded("br", "abc").coding_error, "a coding that cannot be taken off here");
}

TEST(ContentCoding, EveryTruncationIsToldUnlessTheConnectionWasCutToo) {
  for (std::size_t size = 0; size < kGzip.size(); ++size) {
    EXPECT_NE(Coded("gzip", kGzip.substr(0, size)).coding_error, "") << size;
    const std::string part = kGzip.substr(0, size);
    const Response cut = Parsed("gzip", "Content-Length: " + std::to_string(kGzip.size()), part);
    EXPECT_FALSE(cut.complete);
    EXPECT_EQ(cut.coding_error, "") << size;
  }
}

// Times of a coded stream's events are those of the pieces that they came in.
TEST(ContentCoding, PiecesAreThoseOfTheBody) {
  std::string chunks;
  for (const char byte : kGzip) chunks += "1\r\n" + std::string(1, byte) + "\r\n";
  const Response response = Parsed("gzip", "Transfer-Encoding: chunked", chunks + "0\r\n\r\n");
  EXPECT_EQ(response.body, kText);
  std::size_t before = 0;
  for (std::size_t i = 0; i < response.body.size(); ++i) {
    EXPECT_GE(response.WireOffset(i), before) << i;
    before = response.WireOffset(i);
  }
  EXPECT_LT(response.WireOffset(0), response.WireOffset(response.body.size() - 1));
}

}  // namespace
}  // namespace parity::wire
