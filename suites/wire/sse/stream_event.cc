#include "suites/wire/sse/stream_event.h"

#include <charconv>

#include "gtest_parity/manifest/json_text.h"

namespace parity::wire {
namespace {

// Brackets without end would end the stack where the value is let go.
constexpr std::size_t kDeepest = 64;

// The unit that \uXXXX at `at` spells; nothing where there is none.
std::optional<unsigned> UnitAt(const std::string& text, std::size_t at) {
  if (text.compare(at, 2, "\\u") != 0 || text.size() < at + 6) return std::nullopt;
  unsigned unit = 0;
  const char* end = text.data() + at + 6;
  const auto read = std::from_chars(text.data() + at + 2, end, unit, 16);
  if (read.ptr != end) return std::nullopt;
  return unit;
}

}  // namespace

bool HasLoneSurrogate(const std::string& json_text) {
  for (std::size_t at = 0; at < json_text.size(); ++at) {
    if (json_text[at] != '\\') continue;
    const auto unit = UnitAt(json_text, at);
    if (unit && *unit >= 0xDC00 && *unit <= 0xDFFF) return true;
    if (unit && *unit >= 0xD800 && *unit <= 0xDBFF) {
      const auto low = at + 6 < json_text.size() ? UnitAt(json_text, at + 6) : std::nullopt;
      if (!low || *low < 0xDC00 || *low > 0xDFFF) return true;
      at += 11;
    } else {
      ++at;  // the escaped character, which may be a backslash itself
    }
  }
  return false;
}

std::vector<StreamEvent> EventsOf(const SseStream& stream) {
  std::vector<StreamEvent> events;
  for (std::size_t i = 0; i < stream.frames.size(); ++i) {
    const SseFrame& frame = stream.frames[i];
    StreamEvent event = {i, frame.event, frame.data == "[DONE]", nullptr};
    if (!event.is_done && !EndsEarly(frame.data) && nlohmann::json::accept(frame.data) &&
        FindDeeper(frame.data, kDeepest) == std::string::npos) {
      event.data = nlohmann::json::parse(frame.data);
      if (!event.data.is_object()) event.data = nullptr;
    }
    events.push_back(std::move(event));
  }
  return events;
}

}  // namespace parity::wire
