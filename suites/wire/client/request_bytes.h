// The bytes of one request, as plainly or as oddly as a probe wants them.
#ifndef GTEST_PARITY_SUITES_WIRE_CLIENT_REQUEST_BYTES_H_
#define GTEST_PARITY_SUITES_WIRE_CLIENT_REQUEST_BYTES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parity::wire {

// What makes no difference to what is asked, or must not.
struct RequestForm {
  // Of chunked coding; 0: the body has a length.
  std::uint64_t chunk_bytes = 0;
  std::string chunk_extension, trailer;  // ";a=b", "X-Sum: 1"
  std::string malformed_chunk;           // put where the last chunk should be; empty: it is there
  bool also_length = false;              // beside chunked coding
  std::optional<std::uint64_t> length;   // that is told, whatever the body has
  bool upper_case_names = false, bare_line_feeds = false, expect_continue = false;
  std::uint64_t header_bytes = 0;  // of a header that only fills
  std::string query;               // "?a=b"
};

struct RequestBytes {
  std::string method, path, body;
  std::vector<std::pair<std::string, std::string>> headers;  // besides those that a body needs
  RequestForm form;
};

std::string BytesOf(const RequestBytes& request);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CLIENT_REQUEST_BYTES_H_
