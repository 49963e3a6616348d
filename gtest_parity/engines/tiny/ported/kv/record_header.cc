#include "gtest_parity/engines/tiny/ported/kv/record_header.h"

#include <array>
#include <limits>
#include <utility>

#include "gtest_parity/engines/tiny/ported/kv/bytes.h"
#include "gtest_parity/engines/tiny/ported/kv/refusal.h"

namespace parity::tiny::ported {
namespace {

constexpr std::string_view kMagic{"KVC\x01", 4};
constexpr std::uint8_t kAbi = 2;

struct ReasonRow {
  std::string_view name;
  Family family;
};

constexpr std::array<ReasonRow, 10> kReasons{{
    {"unknown", Family::kNone},
    {"cold", Family::kSerial},
    {"continued", Family::kSerial},
    {"evict", Family::kSerial},
    {"shutdown", Family::kSerial},
    {"agent-system", Family::kAgent},
    {"agent-session", Family::kAgent},
    {"bank-evict", Family::kBank},
    {"bank-shutdown", Family::kBank},
    {"bank-checkpoint", Family::kBank},
}};

}  // namespace

RecordHeader RecordHeader::Parse(std::string_view bytes) {
  constexpr std::string_view kInvalid = "invalid_header";
  Expect(bytes.size() >= kHeaderBytes && bytes.starts_with(kMagic), kInvalid);
  const auto byte = [bytes](std::size_t at) { return static_cast<std::uint8_t>(bytes[at]); };
  RecordHeader header;
  header.quant = byte(4);
  Expect(header.quant == 2 || header.quant == 4, kInvalid);
  Expect(byte(20) == kAbi, kInvalid);
  header.reason = byte(5) < kReasons.size() ? StoreReason{byte(5)} : StoreReason::kUnknown;
  header.ext = byte(6);
  header.model = byte(7);
  header.tokens = NumberAt<std::uint32_t>(bytes, 8);
  Expect(header.tokens != 0, kInvalid);
  header.hits = NumberAt<std::uint32_t>(bytes, 12);
  header.context = NumberAt<std::uint32_t>(bytes, 16);
  header.created = NumberAt<std::uint64_t>(bytes, 24);
  header.last_used = NumberAt<std::uint64_t>(bytes, 32);
  header.payload_bytes = NumberAt<std::uint64_t>(bytes, 40);
  header.text_bytes = NumberAt<std::uint32_t>(bytes, 48);
  Expect(header.payload_bytes <= std::numeric_limits<std::uint64_t>::max() - header.PayloadAt(),
         kInvalid);
  return header;
}

std::string RecordHeader::Bytes() const {
  std::string bytes(kMagic);
  for (const std::uint8_t byte : {quant, static_cast<std::uint8_t>(reason), ext, model}) {
    Append(bytes, byte);
  }
  Append(bytes, tokens);
  Append(bytes, hits);
  Append(bytes, context);
  Append(bytes, std::uint32_t{kAbi});  // and three reserved bytes
  Append(bytes, created);
  Append(bytes, last_used);
  Append(bytes, payload_bytes);
  Append(bytes, text_bytes);
  return bytes;
}

KvRecord RecordHeader::Describe(std::string key, std::uint64_t file_bytes) const {
  return {.key = std::move(key),
          .text = {},
          .text_bytes = text_bytes,
          .file_bytes = file_bytes,
          .created = created,
          .last_used = last_used,
          .tokens = tokens,
          .hits = hits,
          .context = context,
          .reason = static_cast<std::uint8_t>(reason),
          .ext = ext,
          .model = model,
          .quant = quant};
}

Family FamilyOf(StoreReason reason) {
  const auto index = static_cast<std::size_t>(reason);
  return index < kReasons.size() ? kReasons[index].family : Family::kNone;
}

std::string_view NameOf(StoreReason reason) {
  const auto index = static_cast<std::size_t>(reason);
  return kReasons[index < kReasons.size() ? index : 0].name;
}

bool ReplaysByItself(StoreReason reason, std::uint8_t ext) {
  switch (FamilyOf(reason)) {
    case Family::kSerial:
      return (ext & kExtBankReplay) == 0;
    case Family::kBank:
      return (ext & kExtBankReplay) != 0;
    default:
      return false;
  }
}

}  // namespace parity::tiny::ported
