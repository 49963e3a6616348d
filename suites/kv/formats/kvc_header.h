// The 48 bytes and the text length that a KVC record begins with.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_KVC_HEADER_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_KVC_HEADER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "suites/kv/formats/kvc_generation.h"
#include "suites/kv/formats/record.h"

namespace parity::kv {

// The text length lies behind what the engines call the header, and is always there.
inline constexpr std::uint64_t kKvcHeaderBytes = 48, kKvcPrefixBytes = 52;
inline constexpr std::string_view kKvcMagic = "KVC";
inline constexpr std::uint8_t kKvcVersion = 1;

struct KvcHeader {
  std::uint8_t quant_bits = 0, reason = 0, ext = 0, model = 0;
  std::uint32_t tokens = 0, hits = 0, ctx = 0;
  std::uint8_t abi = 0;
  std::uint32_t reserved = 0;  // three bytes
  std::uint64_t created = 0, last_used = 0, payload_bytes = 0;
  std::uint32_t text_bytes = 0;
  bool operator==(const KvcHeader&) const = default;
};

using KvcPrefix = std::array<std::uint8_t, kKvcPrefixBytes>;

KvcPrefix EncodeKvcHeader(const KvcHeader& header);
KvcHeader DecodeKvcHeader(const KvcPrefix& bytes);

// Adds the fields, the section and the mask.
void AddKvcHeader(const KvcPrefix& bytes, const KvcGeneration& generation, Record* record);

// What a reader of `generation` refuses of the header alone.
std::vector<Problem> CheckKvcHeader(const KvcPrefix& bytes, const KvcGeneration& generation);

// 52 + text + payload, nothing where that overflows.
std::optional<std::uint64_t> KvcBodyEnd(const KvcHeader& header);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_KVC_HEADER_H_
