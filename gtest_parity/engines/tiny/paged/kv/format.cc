#include "gtest_parity/engines/tiny/paged/kv/format.h"

#include <cstring>

#include "gtest_parity/engines/tiny/serve/kv_record.h"

namespace parity::tiny::paged {
namespace {

const unsigned char kMagic[4] = {'K', 'V', 'C', 1};

const char* const kErrorNames[kKvcErrorCount] = {
    "",
    "invalid_header",
    "legacy_replay_contract",
    "changed_during_lookup",
    "different_model",
    "different_quant",
    "no_frontier_logits",
    "not_strict_prefix",
    "longer_than_prompt",
    "truncated_text",
    "hash_mismatch",
    "prefix_mismatch",
    "below_min_tokens",
    "identity_missing",
    "identity_mismatch",
    "truncated_payload",
    "unknown_payload",
    "payload_version",
    "other_family",
    "exceeds_context",
    "row_count",
    "other_kv_type",
    "other_shape",
    "trailing_bytes",
    "token_count",
    "no_record",
    "over_budget",
    "write_failed",
};

const char* const kReasonNames[] = {
    "unknown",      "cold",          "continued",  "evict",         "shutdown",
    "agent-system", "agent-session", "bank-evict", "bank-shutdown", "bank-checkpoint"};

}  // namespace

const char* KvcErrorName(KvcError error) { return kErrorNames[error]; }

const char* KvcReasonName(unsigned reason) { return kReasonNames[reason > 9 ? 0 : reason]; }

void KvcPut32(unsigned char* to, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) to[i] = static_cast<unsigned char>(value >> (8 * i));
}

void KvcPut64(unsigned char* to, std::uint64_t value) {
  for (int i = 0; i < 8; ++i) to[i] = static_cast<unsigned char>(value >> (8 * i));
}

std::uint32_t KvcGet32(const unsigned char* from) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | from[i];
  return value;
}

std::uint64_t KvcGet64(const unsigned char* from) {
  return std::uint64_t{KvcGet32(from + 4)} << 32 | KvcGet32(from);
}

void KvcEncode(const KvcHeader* header, unsigned char out[kKvcFixed]) {
  std::memset(out, 0, kKvcFixed);
  std::memcpy(out, kMagic, sizeof(kMagic));
  out[4] = header->quant;
  out[5] = header->reason;
  out[6] = header->ext;
  out[7] = header->model;
  KvcPut32(out + 8, header->tokens);
  KvcPut32(out + 12, header->hits);
  KvcPut32(out + 16, header->context);
  out[20] = 2;
  KvcPut64(out + 24, header->created);
  KvcPut64(out + 32, header->last_used);
  KvcPut64(out + 40, header->payload_bytes);
  KvcPut32(out + 48, header->text_bytes);
}

KvcError KvcDecode(const unsigned char in[kKvcFixed], KvcHeader* out) {
  if (std::memcmp(in, kMagic, sizeof(kMagic)) != 0) return kKvcInvalidHeader;
  if ((in[4] != 2 && in[4] != 4) || in[20] != 2) return kKvcInvalidHeader;
  out->quant = in[4];
  out->reason = in[5] > 9 ? 0 : in[5];
  out->ext = in[6];
  out->model = in[7];
  out->tokens = KvcGet32(in + 8);
  out->hits = KvcGet32(in + 12);
  out->context = KvcGet32(in + 16);
  out->created = KvcGet64(in + 24);
  out->last_used = KvcGet64(in + 32);
  out->payload_bytes = KvcGet64(in + 40);
  out->text_bytes = KvcGet32(in + 48);
  if (out->tokens == 0) return kKvcInvalidHeader;
  const std::uint64_t front = kKvcFixed + std::uint64_t{out->text_bytes};
  return out->payload_bytes > UINT64_MAX - front ? kKvcInvalidHeader : kKvcOk;
}

bool KvcIsBank(unsigned reason) { return reason >= 7 && reason <= 9; }

bool KvcIsReplayable(unsigned reason, unsigned ext) {
  const bool replay = (ext & kExtBankReplay) != 0;
  if (reason >= 1 && reason <= 4) return !replay;
  return KvcIsBank(reason) && replay;
}

}  // namespace parity::tiny::paged
