#include "gtest_parity/engines/tiny/server/routing.h"

#include <array>

namespace parity::tiny_server {

std::span<const Reason> AllReasons() {
  static const auto kAll = [] {
    std::array<Reason, std::size(kReasonNames)> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Reason>(i);
    return all;
  }();
  return kAll;
}

Route RouteOf(const Needs& needs, const LaneSet& lanes, std::uint64_t prompt_bytes) {
  if (needs.asked) return {*needs.asked, Reason::kAsked};
  if (needs.serial_frontier) return {ServedLane::kSerial, Reason::kSerialFrontier};
  if (needs.bank_frontier && lanes.continuous) {
    return {ServedLane::kContinuous, Reason::kBankFrontier};
  }
  if (needs.tool_scan && !needs.streaming) return {ServedLane::kSerial, Reason::kPublishes};
  if (needs.prefill_only) return {ServedLane::kSerial, Reason::kPrefillOnly};
  if (needs.image) return {ServedLane::kSerial, Reason::kImage};
  const bool fits = lanes.most_bytes == 0 || prompt_bytes <= lanes.most_bytes;
  if (lanes.continuous && fits) return {ServedLane::kContinuous, Reason::kContinuous};
  const bool plain = !needs.streaming && !needs.thinking && !needs.stop_scan && !needs.tool_scan;
  if (lanes.gathered && plain) return {ServedLane::kStatic, Reason::kGathered};
  return {ServedLane::kSerial, lanes.continuous ? Reason::kPromptTooLong : Reason::kLaneOff};
}

}  // namespace parity::tiny_server
