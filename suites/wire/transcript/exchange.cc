#include "suites/wire/transcript/exchange.h"

#include <algorithm>
#include <array>

namespace parity::wire {
namespace {

constexpr std::array<std::string_view, 8> kSurfaces = {
    "chat", "completions", "messages", "responses", "models", "stats", "metrics", "other"};
constexpr std::array<std::string_view, 8> kKinds = {
    "sent", "received", "half_closed", "closed", "peer_closed", "reset", "refused", "timed_out"};

template <typename Enum, std::size_t kCount>
bool Parse(const std::array<std::string_view, kCount>& names, std::string_view name, Enum* out) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return false;
  *out = static_cast<Enum>(found - names.begin());
  return true;
}

std::string Joined(const std::vector<ConnectionEvent>& events, EventKind kind) {
  std::string bytes;
  for (const ConnectionEvent& event : events) {
    if (event.kind == kind) bytes += event.bytes;
  }
  return bytes;
}

}  // namespace

std::string Exchange::Received() const { return Joined(events, EventKind::kReceived); }

std::string Exchange::Sent() const { return Joined(events, EventKind::kSent); }

std::int64_t Exchange::ReceivedAt(std::size_t offset) const {
  std::int64_t at = 0;
  std::size_t end = 0;
  for (const ConnectionEvent& event : events) {
    if (event.kind != EventKind::kReceived) continue;
    at = event.at_us;
    end += event.bytes.size();
    if (offset < end) break;
  }
  return at;
}

bool Exchange::Has(EventKind kind) const {
  return std::any_of(events.begin(), events.end(),
                     [&](const ConnectionEvent& event) { return event.kind == kind; });
}

bool Exchange::ClientLeft() const {
  for (const ConnectionEvent& event : events) {
    if (event.kind == EventKind::kClosed) return true;
    const bool ends = event.kind == EventKind::kPeerClosed || event.kind == EventKind::kReset ||
                      event.kind == EventKind::kRefused || event.kind == EventKind::kTimedOut;
    if (ends) return false;
  }
  return false;
}

const Exchange* Transcript::Find(std::string_view name) const {
  const auto found = std::find_if(exchanges.begin(), exchanges.end(),
                                  [&](const Exchange& exchange) { return exchange.name == name; });
  return found == exchanges.end() ? nullptr : &*found;
}

std::string_view NameOf(Surface surface) { return kSurfaces[static_cast<std::size_t>(surface)]; }

std::string_view NameOf(EventKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

bool ParseName(std::string_view name, Surface* out) { return Parse(kSurfaces, name, out); }

bool ParseName(std::string_view name, EventKind* out) { return Parse(kKinds, name, out); }

std::vector<std::string> SurfaceNames() { return {kSurfaces.begin(), kSurfaces.end()}; }

std::vector<std::string> EventKindNames() { return {kKinds.begin(), kKinds.end()}; }

bool CarriesBytes(EventKind kind) {
  return kind == EventKind::kSent || kind == EventKind::kReceived;
}

Surface SurfaceOf(std::string_view path) {
  path = path.substr(0, path.find('?'));
  if (path == "/v1/chat/completions") return Surface::kChat;
  if (path == "/v1/completions") return Surface::kCompletions;
  if (path == "/v1/messages") return Surface::kMessages;
  if (path == "/v1/responses") return Surface::kResponses;
  if (path == "/v1/models" || path.starts_with("/v1/models/")) return Surface::kModels;
  if (path == "/v1/stats") return Surface::kStats;
  return path == "/metrics" ? Surface::kMetrics : Surface::kOther;
}

}  // namespace parity::wire
