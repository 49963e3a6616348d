#include "suites/wire/client/request_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity::wire {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(RequestBytes, APlainRequest) {
  EXPECT_EQ(BytesOf({"POST", "/v1", "{}", {{"X-A", "b"}}, {}}),
            "POST /v1 HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: b\r\nContent-Type: application/json\r\n"
            "Content-Length: 2\r\n\r\n{}");
  EXPECT_EQ(BytesOf({"GET", "/v1", "", {}, {}}), "GET /v1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
}

TEST(RequestBytes, ChunksWithExtensionAndTrailer) {
  RequestForm form;
  form.chunk_bytes = 10;
  form.chunk_extension = ";a=b";
  form.trailer = "X-Sum: 1";
  const std::string bytes = BytesOf({"POST", "/", "0123456789ab", {}, form});
  EXPECT_THAT(bytes,
              EndsWith("\r\n\r\na;a=b\r\n0123456789\r\n2;a=b\r\nab\r\n0\r\nX-Sum: 1\r\n\r\n"));
  EXPECT_THAT(bytes, HasSubstr("Trailer: X-Sum\r\n"));
  EXPECT_THAT(bytes, Not(HasSubstr("Content-Length")));
}

TEST(RequestBytes, WhatIsOddAboutAHead) {
  RequestForm form;
  form.upper_case_names = form.bare_line_feeds = form.expect_continue = true;
  form.length = 5;
  form.query = "?a=b";
  form.header_bytes = 3;
  EXPECT_EQ(BytesOf({"POST", "/v1", "{}", {}, form}),
            "POST /v1?a=b HTTP/1.1\nHOST: 127.0.0.1\nCONTENT-TYPE: application/json\n"
            "CONTENT-LENGTH: 5\nEXPECT: 100-continue\nX-FILL: aaa\n\n{}");
}

TEST(RequestBytes, AMalformedChunkStandsForTheLast) {
  RequestForm form;
  form.chunk_bytes = 2;
  form.malformed_chunk = "zz\r\n";
  form.also_length = true;
  const std::string bytes = BytesOf({"POST", "/", "{}", {}, form});
  EXPECT_THAT(bytes, EndsWith("2\r\n{}\r\nzz\r\n"));
  EXPECT_THAT(bytes, HasSubstr("Content-Length: 2"));
}

}  // namespace
}  // namespace parity::wire
