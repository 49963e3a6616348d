#include "suites/wire/sse/sse_decoder.h"

#include <utility>

namespace parity::wire {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

void SseDecoder::Feed(std::string_view bytes) {
  for (const char byte : bytes) {
    ++at_;
    // The second half of CR LF ends no other line.
    if (byte == '\n' && std::exchange(after_return_, false)) {
      line_begin_ = at_;
      continue;
    }
    after_return_ = byte == '\r';
    if (byte == '\r' || byte == '\n') {
      EndLine();
    } else {
      line_ += byte;
    }
  }
}

SseStream SseDecoder::End() {
  if (!line_.empty()) EndLine();
  if (in_frame_) {
    frame_.end = at_;
    stream_.cut = std::move(frame_);
  }
  return std::move(stream_);
}

void SseDecoder::EndLine() {
  std::string_view line = line_;
  if (std::exchange(first_line_, false) && line.starts_with(kByteOrderMark)) {
    stream_.has_mark = true;
    line.remove_prefix(kByteOrderMark.size());
  }
  TakeLine(line);
  line_.clear();
  line_begin_ = at_;
}

void SseDecoder::TakeLine(std::string_view line) {
  if (line.empty()) return EndFrame();
  if (line.front() == ':') {
    stream_.comments.push_back({line_begin_, std::string(line.substr(1)), in_frame_});
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return TakeField(line, "", line);
  std::string_view value = line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  TakeField(line.substr(0, colon), value, line);
}

void SseDecoder::TakeField(std::string_view name, std::string_view value, std::string_view line) {
  const SseLine told = {line_begin_, std::string(line), in_frame_};
  if (name == "id") {
    stream_.ids.push_back(told);
  } else if (name == "retry") {
    stream_.retries.push_back(told);
  } else if (name != "event" && name != "data") {
    stream_.unknown.push_back(told);
  } else {
    if (!std::exchange(in_frame_, true)) frame_.begin = line_begin_;
    if (name == "event") {
      frame_.has_event = true;
      frame_.event = value;
    } else {
      if (frame_.data_lines++ != 0) frame_.data += '\n';
      frame_.data += value;
    }
  }
}

void SseDecoder::EndFrame() {
  if (!std::exchange(in_frame_, false)) return;
  frame_.end = at_;
  // Without data, or with one empty line of it, a client dispatches nothing.
  (frame_.data.empty() ? stream_.without_data : stream_.frames).push_back(std::move(frame_));
  frame_ = {};
}

SseStream DecodeSse(std::string_view body) {
  SseDecoder decoder;
  decoder.Feed(body);
  return decoder.End();
}

}  // namespace parity::wire
