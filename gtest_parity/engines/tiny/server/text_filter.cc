#include "gtest_parity/engines/tiny/server/text_filter.h"

#include <algorithm>

namespace parity::tiny_server {
namespace {

constexpr std::string_view kThinkingEnd = "</think>";

// How many of the last bytes of `text` are the beginning of `marker`, and not all of it.
std::size_t BegunAtEnd(std::string_view text, std::string_view marker) {
  for (std::size_t size = std::min(text.size(), marker.size() - 1); size > 0; --size) {
    if (text.ends_with(marker.substr(0, size))) return size;
  }
  return 0;
}

// Tells the first bytes of `held`.
void Tell(TapeEvent::Kind kind, std::string& held, std::size_t bytes,
          std::vector<TapeEvent>& events) {
  if (bytes != 0) events.push_back({kind, held.substr(0, bytes)});
  held.erase(0, bytes);
}

}  // namespace

std::vector<TapeEvent> TextFilter::On(std::string_view text) {
  std::vector<TapeEvent> events;
  if (stopped()) return events;
  held_ += text;
  if (thinks_) Think(events);
  if (!thinks_) Answer(events);
  return events;
}

void TextFilter::Think(std::vector<TapeEvent>& events) {
  const std::size_t end = held_.find(kThinkingEnd);
  if (end == std::string::npos) {
    Tell(TapeEvent::Kind::kReasoning, held_, held_.size() - BegunAtEnd(held_, kThinkingEnd),
         events);
    return;
  }
  Tell(TapeEvent::Kind::kReasoning, held_, end, events);
  held_.erase(0, kThinkingEnd.size());
  thinks_ = false;
}

void TextFilter::Answer(std::vector<TapeEvent>& events) {
  std::size_t first_end = std::string::npos, begun = 0;
  for (const std::string& stop : stops_) {
    begun = std::max(begun, BegunAtEnd(held_, stop));
    const std::size_t at = held_.find(stop);
    if (at == std::string::npos) continue;
    const std::size_t end = at + stop.size();
    if (end > first_end || (end == first_end && stop.size() <= stop_.size())) continue;
    first_end = end;
    stop_ = stop;
  }
  const std::size_t told = stopped() ? first_end - stop_.size() : held_.size() - begun;
  Tell(TapeEvent::Kind::kText, held_, told, events);
  if (stopped()) held_.clear();
}

std::vector<TapeEvent> TextFilter::Finish() {
  std::vector<TapeEvent> events;
  Tell(thinks_ ? TapeEvent::Kind::kReasoning : TapeEvent::Kind::kText, held_, held_.size(), events);
  return events;
}

}  // namespace parity::tiny_server
