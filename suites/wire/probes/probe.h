// What is asked of both servers, in which lanes.
#ifndef GTEST_PARITY_SUITES_WIRE_PROBES_PROBE_H_
#define GTEST_PARITY_SUITES_WIRE_PROBES_PROBE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest_parity/manifest/diagnostics.h"
#include "suites/wire/client/request_bytes.h"
#include "suites/wire/client/script.h"
#include "suites/wire/rules/rule.h"
#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

enum class Way { kBuffered, kStreamed };

// One connection of a probe. Texts may hold ${/pointers} into what was answered before.
struct Ask {
  std::string name;                // of a further one; empty: the probe's own
  std::optional<Surface> surface;  // none: the probe's
  std::optional<bool> streamed;    // none: by the way in which the probe is run
  std::string method, path;        // empty: the surface's own
  // In the words of no surface, see render_ask.h; null: the request has no body.
  nlohmann::json ask;
  nlohmann::json body = nlohmann::json::object();  // laid over what that comes to
  std::map<Surface, nlohmann::json> body_of;       // the same, of one surface
  nlohmann::json set = nlohmann::json::object();   // members as they are, null included
  std::optional<std::string> raw;                  // the body's bytes, instead of all that
  std::vector<std::pair<std::string, std::string>> headers;
  RequestForm form;
  std::uint64_t split = 0;     // bytes in each write; 0: all in one
  std::uint64_t every_ms = 0;  // between those writes
  std::uint64_t times = 1;     // the same request on this connection
  bool pipelined = false;      // all of them at once
  std::uint64_t copies = 1;    // of this connection, all at the same time
  std::uint64_t receive_buffer = 0;
  std::vector<Step> first, then;  // before it is sent, and after; nothing: to the end
  // As Exchange has them. Those that name an exchange name a probe here: that of the same surface
  // and way.
  std::string probe, same_as, same_prompt_as, cut_of, warm_of, marker;
  bool follows = false;  // a scrape of which the probe's own exchange is `after`
};

// What a request may name of an earlier answer, ${/chat/plain/text}: no further connection can be
// called so, as its answer is told beside them.
inline constexpr std::array<std::string_view, 11> kPartsOfAnswers = {
    "id",    "prompt_tokens", "output_tokens", "text",    "reasoning",  "finish",
    "calls", "pieces",        "last_piece",    "stop_at", "stop_inside"};

struct Growth {
  std::uint64_t warm = 0, times = 0;  // requests before it is measured, and while it is
};

struct Probe {
  std::string name;
  Position at;
  std::vector<Surface> surfaces;
  std::vector<Way> ways;
  std::vector<std::string> lanes;
  std::vector<Surface> alike;  // of which the first one's answer is also the others'
  Ask own;
  std::vector<Ask> beside;  // at the same time
  std::vector<Ask> after;   // one after another, when those have ended
  // Servers of its own, with `config` laid over the lane's.
  bool fresh = false;
  nlohmann::json config = nlohmann::json::object();
  // Lane of the session and way -> lane that serves it.
  std::map<std::pair<std::string, Way>, std::string> served_by;
  // Where several are asked at once and a lane takes some: lane of the session -> how many each
  // lane serves. It stands instead of served_by.
  std::map<std::string, std::map<std::string, std::uint64_t>> shares;
  // Roles of counters that depend on when the client does what it does.
  std::vector<std::string> uncounted;
  bool ends_server = false;      // some connection stops it
  std::optional<Growth> growth;  // the request is repeated, and what the server holds measured
};

// A number that is the sum of others while the server is at rest.
struct CounterSum {
  std::string total;
  std::vector<std::string> parts;
};

// Of one side's server: JSON pointers into what its counters' path answers. Empty: not told.
struct CounterPlaces {
  std::string routes;                        // with {surface} and {lane}
  std::vector<std::string> at_rest;          // 0 where nothing is under way
  std::string started, outcomes;             // a number, and an object of numbers that sum to it
  std::map<std::string, std::string> alike;  // role -> number that moves alike on both sides
  std::vector<CounterSum> sums;
};

struct SideWords {
  CounterPlaces counters;
  MetricRoles metrics;
};

// One way in which a side's server is run, and what it is asked then.
struct WireLane {
  std::string name;
  Position at;
  // For the reference and the candidate.
  nlohmann::json config[2] = {nlohmann::json::object(), nlohmann::json::object()};
  nlohmann::json body[2] = {nlohmann::json::object(), nlohmann::json::object()};
  std::map<Way, std::string> served_by;  // lanes that this one hands requests to
};

struct Limits {
  double seconds = 30;         // of each connection
  double settle_seconds = 10;  // until a server is at rest
  std::uint64_t grown_descriptors = 0;
  std::uint64_t grown_mebibytes = 16;
};

struct Probes {
  std::string path;
  std::vector<WireLane> lanes;
  std::vector<Probe> probes;
  SideWords words[2];  // of the reference, of the candidate
  // Members of answers that are no client's concern: the profile does not hold them.
  std::vector<std::string> unprofiled;
  Limits limits;

  const WireLane& LaneOf(std::string_view name) const;
  const Probe* Find(std::string_view name) const;
};

inline constexpr std::size_t kReferenceSide = 0, kCandidateSide = 1;

bool Generates(Surface surface);
std::string_view NameOf(Way way);  // "buffered"

// "chat/plain/streamed", "models/list"; of a further connection ".next" is added.
std::string ExchangeName(const Probe& probe, Surface surface, Way way);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_PROBES_PROBE_H_
