// The KVC envelope, ABI 2: 52 bytes in front of a record's text, payload and trailer.
#ifndef GTEST_PARITY_ENGINES_TINY_PAGED_KV_FORMAT_H_
#define GTEST_PARITY_ENGINES_TINY_PAGED_KV_FORMAT_H_

#include <cstddef>
#include <cstdint>

namespace parity::tiny::paged {

constexpr std::size_t kKvcRewritten = 48;  // what is written anew when a record is touched
constexpr std::size_t kKvcFixed = 52;
constexpr std::size_t kKvcFooter = 40;
constexpr std::uint8_t kKvcModel = 1;  // kjv-2m

struct KvcHeader {
  std::uint8_t quant, reason, ext, model;
  std::uint32_t tokens, hits, context;
  std::uint64_t created, last_used, payload_bytes;
  std::uint32_t text_bytes;
};

// Why a record is not loaded. docs/serving.md has one line for each.
enum KvcError {
  kKvcOk = 0,
  kKvcInvalidHeader,
  kKvcLegacyReplayContract,
  kKvcChangedDuringLookup,
  kKvcDifferentModel,
  kKvcDifferentQuant,
  kKvcNoFrontierLogits,
  kKvcNotStrictPrefix,
  kKvcLongerThanPrompt,
  kKvcTruncatedText,
  kKvcHashMismatch,
  kKvcPrefixMismatch,
  kKvcBelowMinTokens,
  kKvcIdentityMissing,
  kKvcIdentityMismatch,
  kKvcTruncatedPayload,
  kKvcUnknownPayload,
  kKvcPayloadVersion,
  kKvcOtherFamily,
  kKvcExceedsContext,
  kKvcRowCount,
  kKvcOtherKvType,
  kKvcOtherShape,
  kKvcTrailingBytes,
  kKvcTokenCount,
  kKvcNoRecord,
  kKvcOverBudget,
  kKvcWriteFailed,
  kKvcErrorCount
};

const char* KvcErrorName(KvcError error);
// "cold", ...; what is no reason is "unknown".
const char* KvcReasonName(unsigned reason);

// Little-endian.
void KvcPut32(unsigned char* to, std::uint32_t value);
void KvcPut64(unsigned char* to, std::uint64_t value);
std::uint32_t KvcGet32(const unsigned char* from);
std::uint64_t KvcGet64(const unsigned char* from);

void KvcEncode(const KvcHeader* header, unsigned char out[kKvcFixed]);
// A reason that is none is taken for unknown.
KvcError KvcDecode(const unsigned char in[kKvcFixed], KvcHeader* out);

bool KvcIsBank(unsigned reason);
// Whether a record of that reason and these flags may be restored without being asked for.
bool KvcIsReplayable(unsigned reason, unsigned ext);

}  // namespace parity::tiny::paged

#endif  // GTEST_PARITY_ENGINES_TINY_PAGED_KV_FORMAT_H_
