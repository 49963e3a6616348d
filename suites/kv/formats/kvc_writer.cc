#include "suites/kv/formats/kvc_writer.h"

#include <stdexcept>

#include "suites/kv/formats/byte_order.h"
#include "suites/kv/formats/kvc_reason.h"
#include "suites/kv/formats/kvc_trailer.h"

namespace parity::kv {
namespace {

using Bytes = std::vector<std::uint8_t>;

void Append(const auto& from, Bytes* out) { out->insert(out->end(), from.begin(), from.end()); }

void AppendWords(const auto& words, Bytes* out) {
  for (const std::uint32_t word : words) AppendUnsigned(word, 4, out);
}

void CheckEntry(const KvcToolEntry& entry) {
  if (entry.id.empty() || entry.id.size() > kKvcMostIdBytes) {
    throw std::invalid_argument("a tool id has " + std::to_string(entry.id.size()) +
                                " bytes, expected 1 to 256");
  }
  if (entry.block.empty() || entry.block.size() > kKvcMostBlockBytes) {
    throw std::invalid_argument("the block of " + entry.id + " has " +
                                std::to_string(entry.block.size()) +
                                " bytes, expected 1 to 536870912");
  }
}

}  // namespace

std::vector<std::uint8_t> WriteKvcPayload(const KvcPayload& payload) {
  Bytes bytes;
  AppendWords(payload.words, &bytes);
  AppendWords(payload.token_ids, &bytes);
  AppendWords(payload.logits, &bytes);
  AppendWords(payload.compressed_counts, &bytes);
  AppendWords(payload.indexer_counts, &bytes);
  Append(payload.layers, &bytes);
  return bytes;
}

std::vector<std::uint8_t> WriteKvcTrailer(const KvcParts& parts) {
  Bytes entries;
  std::uint64_t count = 0;
  for (const KvcToolEntry& entry : parts.tools) {
    CheckEntry(entry);
    if (parts.text.find(entry.block) == std::string::npos) continue;
    AppendUnsigned(entry.id.size(), 4, &entries);
    AppendUnsigned(entry.block.size(), 4, &entries);
    Append(entry.id, &entries);
    Append(entry.block, &entries);
    ++count;
  }
  if (count == 0) return {};
  Bytes trailer(kKvcTrailerMagic.begin(), kKvcTrailerMagic.end());
  trailer.push_back(kKvcTrailerVersion);
  AppendUnsigned(count, 4, &trailer);
  Append(entries, &trailer);
  return trailer;
}

std::vector<std::uint8_t> WriteKvc(const KvcParts& parts) {
  if (parts.text.size() > UINT32_MAX) {
    throw std::invalid_argument("a text of " + std::to_string(parts.text.size()) +
                                " bytes, expected less than 2^32");
  }
  const Bytes trailer = WriteKvcTrailer(parts);
  KvcHeader header = parts.header;
  header.text_bytes = static_cast<std::uint32_t>(parts.text.size());
  header.payload_bytes = parts.payload.size();
  const unsigned kept = header.ext & ~(kKvcToolMap | kKvcIdentityFooter);
  header.ext = static_cast<std::uint8_t>(kept | (trailer.empty() ? 0 : kKvcToolMap) |
                                         (parts.identity ? kKvcIdentityFooter : 0));
  Bytes bytes;
  Append(EncodeKvcHeader(header), &bytes);
  Append(parts.text, &bytes);
  Append(parts.payload, &bytes);
  Append(trailer, &bytes);
  if (parts.identity) Append(EncodeKvcFooter(*parts.identity), &bytes);
  return bytes;
}

}  // namespace parity::kv
