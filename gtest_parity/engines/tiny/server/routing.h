// Which lane a request is for: a function of the request and the server alone.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_ROUTING_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_ROUTING_H_

#include <cstdint>
#include <optional>
#include <span>

#include "gtest_parity/engines/tiny/server/surface.h"

namespace parity::tiny_server {

struct Needs {
  bool streaming = false, thinking = false, stop_scan = false, tool_scan = false, image = false;
  bool prefill_only = false;             // no token at all
  bool serial_frontier = false;          // goes on where the serial lane's session ends
  bool bank_frontier = false;            // goes on where a bank ends
  std::optional<ServedLane> asked = {};  // by the client, who knows this server
};

struct LaneSet {
  bool continuous = true, gathered = true;  // which there are
  std::uint64_t most_bytes = 0;             // of a prompt in the continuous lane; 0: any
};

enum class Reason {
  kAsked,
  kSerialFrontier,
  kBankFrontier,
  kPublishes,
  kPrefillOnly,
  kImage,
  kContinuous,
  kGathered,
  kPromptTooLong,
  kLaneOff,
  kGatheredAlone,  // not of `RouteOf`: no second request came
};
inline constexpr const char* kReasonNames[] = {
    "asked",      "serial_frontier", "bank_frontier",   "publishes", "prefill_only",  "image",
    "continuous", "gathered",        "prompt_too_long", "lane_off",  "gathered_alone"};
std::span<const Reason> AllReasons();
inline const char* NameOf(Reason reason) { return kReasonNames[static_cast<int>(reason)]; }

struct Route {
  ServedLane lane;
  Reason reason;
};
// A call that is to be gone on with is kept by the serial lane, or by a bank where it is streamed.
Route RouteOf(const Needs& needs, const LaneSet& lanes, std::uint64_t prompt_bytes);

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_ROUTING_H_
