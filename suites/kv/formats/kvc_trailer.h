// The tool map behind a KVC record's payload: ids of tool calls, each with the bytes that were
// sampled for it.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_KVC_TRAILER_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_KVC_TRAILER_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "suites/kv/formats/record_reader.h"

namespace parity::kv {

inline constexpr std::string_view kKvcTrailerMagic = "KTM";
inline constexpr std::uint8_t kKvcTrailerVersion = 1;
inline constexpr std::uint64_t kKvcTrailerHeaderBytes = 8;
inline constexpr std::uint64_t kKvcMostIdBytes = 256;
inline constexpr std::uint64_t kKvcMostBlockBytes = std::uint64_t{512} << 20;
inline constexpr std::uint64_t kKvcMostEntries = 400000;  // four for each id that a server keeps
// Blocks are looked through for zero bytes as long as all of them together are no longer.
inline constexpr std::uint64_t kKvcMostBytesScanned = std::uint64_t{1} << 20;

// Whether an id is as writers make them: "call_" and 32 lower-case hexadecimal digits.
bool IsKvcToolId(std::string_view id);

// Never refuses: where the trailer goes wrong the entries before that count, and what follows is
// "trailer.rest". Ids are masked only where every one is well formed and none comes twice.
void DecodeKvcTrailer(Range trailer, RecordReader* reader);

// Which bytes a server takes for an id: of equal ids the last, ids as far as their first zero byte.
std::map<std::string, Range> KvcToolMapOf(const Record& record);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_KVC_TRAILER_H_
