// Server-sent events out of bytes, as the WHATWG's section 9.2.6 reads them, and what it passes
// over on the way.
#ifndef GTEST_PARITY_SUITES_WIRE_SSE_SSE_DECODER_H_
#define GTEST_PARITY_SUITES_WIRE_SSE_SSE_DECODER_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parity::wire {

// Offsets count the bytes of the body.
struct SseFrame {
  std::string event, data;
  bool has_event = false;      // a line `event:`, even if its value is empty
  std::size_t data_lines = 0;  // that `data` was joined of
  std::size_t begin = 0, end = 0;
  bool operator==(const SseFrame&) const = default;
};

// A line that is no part of any event's value.
struct SseLine {
  std::size_t at = 0;
  std::string text;           // of a comment behind the colon, of another field its whole line
  bool inside_event = false;  // after the first line of an event and before its end
  bool operator==(const SseLine&) const = default;
};

struct SseStream {
  bool has_mark = false;               // a byte order mark at the start
  std::vector<SseFrame> frames;        // what a client gets
  std::vector<SseFrame> without_data;  // named, but a client gets nothing
  std::optional<SseFrame> cut;         // begun, but the stream ends before its blank line
  std::vector<SseLine> comments;
  std::vector<SseLine> ids, retries;  // lines `id:` and `retry:`
  std::vector<SseLine> unknown;       // fields that clients ignore
  bool operator==(const SseStream&) const = default;
};

// Bytes may be fed in any pieces: the outcome is the same.
class SseDecoder {
 public:
  void Feed(std::string_view bytes);
  // The body has ended; nothing is fed after.
  SseStream End();

 private:
  void EndLine();
  void TakeLine(std::string_view line);
  void TakeField(std::string_view name, std::string_view value, std::string_view line);
  void EndFrame();

  SseStream stream_;
  SseFrame frame_;
  bool in_frame_ = false, after_return_ = false, first_line_ = true;
  std::string line_;
  std::size_t at_ = 0, line_begin_ = 0;
};

SseStream DecodeSse(std::string_view body);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_SSE_SSE_DECODER_H_
