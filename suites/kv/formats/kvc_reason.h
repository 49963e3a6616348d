// Why a KVC record was stored, what its flags say, and whether it may be replayed unasked.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_KVC_REASON_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_KVC_REASON_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "suites/kv/formats/kvc_generation.h"

namespace parity::kv {

enum class KvcFamily { kUnknown, kSerial, kAgent, kBank };
std::string_view NameOf(KvcFamily family);

struct KvcReason {
  std::uint8_t code = 0;
  std::string_view name;
  KvcFamily family = KvcFamily::kUnknown;
  bool anchor = false;      // worth twice as much to the eviction
  bool superseded = false;  // a longer record of the same text makes it worth less
};

// By code.
std::span<const KvcReason> KvcReasons();

// A code that the generation does not have is reason 0.
const KvcReason& KvcReasonOf(std::uint8_t code, const KvcGeneration& generation = kKvcAbi2);

enum KvcExt : std::uint8_t {
  kKvcToolMap = 1,
  kKvcResponsesVisible = 2,
  kKvcThinkingVisible = 4,
  kKvcSessionTitle = 8,
  kKvcBankReplay = 16,
  kKvcImagePixels = 32,
  kKvcIdentityFooter = 64,
};

// "tool_map bank_replay"; "0x80" for what has no name; empty for none.
std::string KvcExtNames(std::uint8_t ext);

// What the text is: "responses-visible", "thinking-visible" or "token-text".
std::string_view KvcKeyKind(std::uint8_t ext);

// Serial records without the bank's flag and bank records with it; nothing else.
bool KvcReplaysUnasked(std::uint8_t reason, std::uint8_t ext,
                       const KvcGeneration& generation = kKvcAbi2);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_KVC_REASON_H_
