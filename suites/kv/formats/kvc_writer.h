// Puts a KVC record together from its parts, as a store would.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_KVC_WRITER_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_KVC_WRITER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "suites/kv/formats/kvc_footer.h"
#include "suites/kv/formats/kvc_header.h"
#include "suites/kv/formats/kvc_payload.h"

namespace parity::kv {

struct KvcToolEntry {
  std::string id, block;
};

struct KvcPayload {
  KvcWords words = {};
  std::vector<std::uint32_t> token_ids;
  std::vector<std::uint32_t> logits;  // the bits of each f32
  std::vector<std::uint32_t> compressed_counts, indexer_counts;
  std::vector<std::uint8_t> layers;
};

struct KvcParts {
  KvcHeader header;  // lengths and the flags of trailer and footer are set by the writer
  std::string text;
  std::vector<std::uint8_t> payload;
  std::vector<KvcToolEntry> tools;
  std::optional<KvcIdentity> identity;
};

std::vector<std::uint8_t> WriteKvcPayload(const KvcPayload& payload);

// Only entries whose block occurs in the text. Empty where there are none.
std::vector<std::uint8_t> WriteKvcTrailer(const KvcParts& parts);

// Throws std::invalid_argument for what no reader would take: a text of 4 GiB, an id or a block
// outside its limits.
std::vector<std::uint8_t> WriteKvc(const KvcParts& parts);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_KVC_WRITER_H_
