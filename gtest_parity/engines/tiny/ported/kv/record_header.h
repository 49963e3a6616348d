// What a record says of itself in its first 52 bytes.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_KV_RECORD_HEADER_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_KV_RECORD_HEADER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "gtest_parity/engines/tiny/serve/kv_record.h"

namespace parity::tiny::ported {

inline constexpr std::size_t kHeaderBytes = 52;
inline constexpr std::size_t kMutableBytes = 48;  // written again when a record has been used
inline constexpr std::uint8_t kTinyModel = 1;

enum class Family { kNone, kSerial, kAgent, kBank };

struct RecordHeader {
  std::uint8_t quant = 0;
  StoreReason reason = StoreReason::kUnknown;
  std::uint8_t ext = 0;
  std::uint8_t model = 0;
  std::uint32_t tokens = 0, hits = 0, context = 0;
  std::uint64_t created = 0, last_used = 0, payload_bytes = 0;
  std::uint32_t text_bytes = 0;

  // Throws Refusal.
  static RecordHeader Parse(std::string_view bytes);
  std::string Bytes() const;

  std::uint64_t PayloadAt() const { return kHeaderBytes + std::uint64_t{text_bytes}; }
  std::uint64_t TrailerAt() const { return PayloadAt() + payload_bytes; }
  bool Has(ExtFlag flag) const { return (ext & flag) != 0; }
  KvRecord Describe(std::string key, std::uint64_t file_bytes) const;
};

Family FamilyOf(StoreReason reason);
std::string_view NameOf(StoreReason reason);
// Whether such a record may be restored for whatever prompt it fits.
bool ReplaysByItself(StoreReason reason, std::uint8_t ext);

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_KV_RECORD_HEADER_H_
