// Responses as their bytes say them, with what a client library would hide.
#ifndef GTEST_PARITY_SUITES_WIRE_HTTP_RESPONSE_H_
#define GTEST_PARITY_SUITES_WIRE_HTTP_RESPONSE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parity::wire {

struct Header {
  std::string name, value;
};

// What ends a body.
enum class Framing { kNoBody, kLength, kChunked, kUntilClose };

// Where a stretch of a body lies among the bytes received.
struct BodyPiece {
  std::size_t body_offset = 0, wire_offset = 0;
};

struct Response {
  unsigned status = 0;
  unsigned major = 1, minor = 1;  // of the HTTP version
  std::vector<Header> headers, trailers;
  Framing framing = Framing::kNoBody;
  std::uint64_t declared_length = 0;  // by Content-Length, where the framing is kLength
  std::vector<std::uint64_t> chunks;  // bytes in each, without the last one of zero
  std::string body;                   // with the chunks' and the content's coding taken off
  std::size_t body_bytes = 0;         // as sent: with the content's coding
  std::string coding;                 // of the content, in lower case; empty: none
  std::string coding_error;           // why it could not be taken off, in words
  std::vector<BodyPiece> pieces;      // ascending
  bool complete = false;              // to the end that its framing demands
  bool keeps_alive = false;           // it lets the connection be used again
  std::size_t begin = 0, end = 0;     // among the bytes received

  // The first header of that name, whatever its case; null where there is none.
  const std::string* Find(std::string_view name) const;
  // Where the byte at `body_offset` lies among the bytes received; of a coded body, where the piece
  // begins that it came in.
  std::size_t WireOffset(std::size_t body_offset) const;
  bool IsInterim() const { return status < 200; }
};

struct ResponseStream {
  std::vector<Response> responses;  // interim ones included
  std::string error;                // in words, empty: every byte is part of a response
  std::size_t error_at = 0;         // among the bytes received
  std::string rest;                 // from the end of the last response on, where there is an error

  // The answers to the requests: no interim ones.
  std::vector<const Response*> Answers() const;
};

// `methods`: of the requests, in order, as the answer to HEAD has no body. `ended`: the server
// closed, which ends a body that nothing else does.
ResponseStream ParseResponses(const std::string& bytes, bool ended,
                              const std::vector<std::string>& methods);

std::string_view NameOf(Framing framing);  // "chunked"

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_HTTP_RESPONSE_H_
