// The identity that later KVC writers end a record with.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_KVC_FOOTER_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_KVC_FOOTER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "suites/kv/formats/record_reader.h"

namespace parity::kv {

using KvcIdentity = std::array<std::uint8_t, 32>;

inline constexpr std::uint64_t kKvcFooterBytes = 40;

// "KVI", 1, the identity, "KVI!".
std::vector<std::uint8_t> EncodeKvcFooter(const KvcIdentity& identity);

// The last bytes of `rest`, what follows the payload. False, with a problem, where there is none.
bool DecodeKvcFooter(Range rest, RecordReader* reader);

// What a reader that expects `identity` refuses of a record that it decoded; readers report it
// before they look into the payload.
std::optional<Problem> CheckKvcIdentity(const Record& record, const KvcIdentity& identity);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_KVC_FOOTER_H_
