// The cases of the suite, from its probes.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_WIRE_CASES_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_WIRE_CASES_H_

#include <string>
#include <string_view>
#include <vector>

#include "gtest_parity/session/case.h"
#include "suites/wire/campaign/sessions.h"

namespace parity::wire {

inline constexpr char kSurfaceFixture[] = "SurfaceRules";
inline constexpr char kProbeFixture[] = "Probe";
inline constexpr char kLaneFixture[] = "Lane";
inline constexpr char kRefusalFixture[] = "Refusals";

// What one case is about.
struct WireCase {
  std::string fixture, slug;
  const WireLane* lane = nullptr;    // not of kRefusalFixture
  Surface surface = Surface::kChat;  // of kSurfaceFixture and kProbeFixture
  std::string_view group;            // of rules, of kSurfaceFixture; or the lane's check
  const Probe* probe = nullptr;      // of kProbeFixture

  // Whether it needs what is asked at that place.
  bool Needs(const WireLane& in, const Place& place) const;
};

// "Probe/serial_chat_plain"
inline std::string KeyOf(const std::string& fixture, const std::string& slug) {
  return fixture + "/" + slug;
}

// `refusals`: whether any is classified.
std::vector<WireCase> WireCasesOf(const Probes& probes, bool refusals);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_WIRE_CASES_H_
