#include "suites/kv/formats/kvc_reason.h"

#include <array>

namespace parity::kv {
namespace {

using enum KvcFamily;

constexpr std::array<KvcReason, 10> kReasons = {{
    {0, "unknown", kUnknown, false, false},
    {1, "cold", kSerial, true, false},
    {2, "continued", kSerial, false, true},
    {3, "evict", kSerial, true, false},
    {4, "shutdown", kSerial, true, false},
    {5, "agent-system", kAgent, false, false},
    {6, "agent-session", kAgent, false, false},
    {7, "bank-evict", kBank, true, false},
    {8, "bank-shutdown", kBank, true, false},
    {9, "bank-checkpoint", kBank, true, true},
}};

constexpr std::array<std::string_view, 7> kExtNames = {
    "tool_map",    "responses_visible", "thinking_visible", "session_title",
    "bank_replay", "image_pixels",      "identity_footer"};

}  // namespace

std::string_view NameOf(KvcFamily family) {
  constexpr std::array<std::string_view, 4> kNames = {"unknown", "serial", "agent", "bank"};
  return kNames[static_cast<std::size_t>(family)];
}

std::span<const KvcReason> KvcReasons() { return kReasons; }

const KvcReason& KvcReasonOf(std::uint8_t code, const KvcGeneration& generation) {
  return kReasons[code <= generation.most_reason ? code : 0];
}

std::string KvcExtNames(std::uint8_t ext) {
  std::string names;
  for (std::size_t bit = 0; bit < 8; ++bit) {
    if ((ext >> bit & 1) == 0) continue;
    names += names.empty() ? "" : " ";
    names += bit < kExtNames.size() ? kExtNames[bit] : "0x80";
  }
  return names;
}

std::string_view KvcKeyKind(std::uint8_t ext) {
  if ((ext & kKvcResponsesVisible) != 0) return "responses-visible";
  return (ext & kKvcThinkingVisible) != 0 ? "thinking-visible" : "token-text";
}

bool KvcReplaysUnasked(std::uint8_t reason, std::uint8_t ext, const KvcGeneration& generation) {
  const bool bank = (ext & generation.known_ext & kKvcBankReplay) != 0;
  const KvcFamily family = KvcReasonOf(reason, generation).family;
  return (family == kSerial && !bank) || (family == kBank && bank);
}

}  // namespace parity::kv
