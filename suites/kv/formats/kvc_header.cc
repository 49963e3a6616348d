#include "suites/kv/formats/kvc_header.h"

#include <algorithm>

#include "suites/kv/formats/byte_order.h"
#include "suites/kv/formats/checked.h"
#include "suites/kv/formats/kvc_reason.h"
#include "suites/kv/formats/record_reader.h"

namespace parity::kv {
namespace {

struct HeaderField {
  std::string_view name;
  std::size_t offset, bytes;
  FieldRole role = FieldRole::kPlain;
  std::string_view section = "";
  bool masked = false;
};

constexpr HeaderField kFields[] = {
    {"magic", 0, 3, FieldRole::kMagic},
    {"version", 3, 1, FieldRole::kVersion},
    {"quant_bits", 4, 1},
    {"reason", 5, 1},
    {"ext", 6, 1},
    {"model", 7, 1},
    {"tokens", 8, 4, FieldRole::kCount},
    {"hits", 12, 4, FieldRole::kPlain, "", true},
    {"ctx", 16, 4},
    {"abi", 20, 1, FieldRole::kAbi},
    {"reserved", 21, 3},
    {"created", 24, 8, FieldRole::kPlain, "", true},
    {"last_used", 32, 8, FieldRole::kPlain, "", true},
    {"payload_bytes", 40, 8, FieldRole::kLength, "payload"},
    {"text_bytes", 48, 4, FieldRole::kLength, "text"},
};

std::string Magic(const KvcPrefix& bytes) { return HexOf(std::span(bytes).first(3)); }

std::string MeaningOf(std::string_view name, std::uint64_t value, const KvcGeneration& generation) {
  const auto byte = static_cast<std::uint8_t>(value);
  if (name == "reason") return std::string(KvcReasonOf(byte, generation).name);
  if (name == "ext") return KvcExtNames(byte);
  return "";
}

}  // namespace

KvcPrefix EncodeKvcHeader(const KvcHeader& header) {
  KvcPrefix bytes = {};
  std::copy(kKvcMagic.begin(), kKvcMagic.end(), bytes.begin());
  const std::uint64_t values[] = {
      kKvcVersion,    header.quant_bits, header.reason,        header.ext,       header.model,
      header.tokens,  header.hits,       header.ctx,           header.abi,       header.reserved,
      header.created, header.last_used,  header.payload_bytes, header.text_bytes};
  for (std::size_t i = 0; i < std::size(values); ++i) {
    const HeaderField& field = kFields[i + 1];
    StoreUnsigned(values[i], std::span(bytes).subspan(field.offset, field.bytes));
  }
  return bytes;
}

KvcHeader DecodeKvcHeader(const KvcPrefix& bytes) {
  const auto at = [&](std::size_t offset, std::size_t width) {
    return LoadUnsigned(std::span(bytes).subspan(offset, width));
  };
  KvcHeader header;
  header.quant_bits = bytes[4];
  header.reason = bytes[5];
  header.ext = bytes[6];
  header.model = bytes[7];
  header.tokens = static_cast<std::uint32_t>(at(8, 4));
  header.hits = static_cast<std::uint32_t>(at(12, 4));
  header.ctx = static_cast<std::uint32_t>(at(16, 4));
  header.abi = bytes[20];
  header.reserved = static_cast<std::uint32_t>(at(21, 3));
  header.created = at(24, 8);
  header.last_used = at(32, 8);
  header.payload_bytes = at(40, 8);
  header.text_bytes = static_cast<std::uint32_t>(at(48, 4));
  return header;
}

void AddKvcHeader(const KvcPrefix& bytes, const KvcGeneration& generation, Record* record) {
  record->sections.push_back({"header", 0, kKvcPrefixBytes});
  for (const HeaderField& each : kFields) {
    const auto raw = std::span(bytes).subspan(each.offset, each.bytes);
    Field field{std::string(each.name), each.offset, each.bytes,
                LoadUnsigned(raw),      each.role,   std::string(each.section)};
    field.meaning = MeaningOf(each.name, LoadUnsigned(raw), generation);
    if (each.bytes == 3) field.value = HexOf(raw);  // the magic and the reserved bytes: no numbers
    record->fields.push_back(std::move(field));
    if (each.masked) record->masked.push_back({each.offset, each.bytes});
  }
}

std::vector<Problem> CheckKvcHeader(const KvcPrefix& bytes, const KvcGeneration& generation) {
  const KvcHeader header = DecodeKvcHeader(bytes);
  std::vector<Problem> problems;
  const auto expect = [&](bool holds, ProblemKind kind, const char* where, const std::string& got,
                          const std::string& expected) {
    if (!holds) problems.push_back({kind, where, "got " + got + ", expected " + expected});
  };
  const bool magic = std::equal(kKvcMagic.begin(), kKvcMagic.end(), bytes.begin());
  expect(magic, ProblemKind::kBadMagic, "magic", Magic(bytes), "4b5643 (KVC)");
  if (!magic) return problems;
  expect(bytes[3] == kKvcVersion, ProblemKind::kBadVersion, "version", std::to_string(bytes[3]),
         "1");
  expect(header.quant_bits == 2 || header.quant_bits == 4, ProblemKind::kBadQuant, "quant_bits",
         std::to_string(header.quant_bits), "2 or 4");
  expect(header.tokens != 0, ProblemKind::kZeroTokens, "tokens", "0", "at least 1");
  expect(!generation.checks_abi || header.abi == generation.abi, ProblemKind::kBadAbi, "abi",
         std::to_string(header.abi), std::to_string(generation.abi));
  expect(header.tokens < 0x80000000u, ProblemKind::kTokensNegative, "tokens",
         std::to_string(header.tokens), "less than 2^31");
  return problems;
}

std::optional<std::uint64_t> KvcBodyEnd(const KvcHeader& header) {
  return CheckedSum(kKvcPrefixBytes + std::uint64_t{header.text_bytes}, header.payload_bytes);
}

}  // namespace parity::kv
