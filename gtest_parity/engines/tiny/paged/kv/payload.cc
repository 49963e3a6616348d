#include "gtest_parity/engines/tiny/paged/kv/payload.h"

#include <cstring>

namespace parity::tiny::paged {
namespace {

enum Word {
  kMagic,
  kVersion,
  kContext,
  kChunk,
  kCapacity,      // positions of the model
  kLayout,        // which of the layouts this is
  kElementBytes,  // of a key's or a value's element
  kTokens,
  kLayers,
  kHeadDim,
  kKvHeads,
  kVocabulary,
  kRows,
  kWords
};

constexpr std::uint32_t kPayloadMagic = 0x34565344;  // DSV4
constexpr std::uint32_t kTinyLayout = 0x31594e54;    // TNY1
constexpr std::size_t kWordBytes = 4 * kWords;

void FillWords(const KvShape* shape, std::uint32_t tokens, std::uint32_t words[kWords]) {
  words[kMagic] = kPayloadMagic;
  words[kVersion] = 3;
  words[kContext] = shape->context;
  words[kChunk] = shape->chunk;
  words[kCapacity] = shape->positions;
  words[kLayout] = kTinyLayout;
  words[kElementBytes] = shape->element_bytes;
  words[kTokens] = tokens;
  words[kLayers] = shape->layers;
  words[kHeadDim] = shape->head_dim;
  words[kKvHeads] = shape->kv_heads;
  words[kVocabulary] = shape->vocabulary;
  words[kRows] = tokens;
}

KvcError CheckWords(const std::uint32_t words[kWords], const KvShape* shape) {
  if (words[kMagic] != kPayloadMagic) return kKvcUnknownPayload;
  if (words[kVersion] < 1 || words[kVersion] > 3) return kKvcPayloadVersion;
  if (words[kLayout] != kTinyLayout) return kKvcOtherFamily;
  if (words[kContext] > shape->context) return kKvcExceedsContext;
  if (words[kElementBytes] != shape->element_bytes) return kKvcOtherKvType;
  if (words[kChunk] != shape->chunk || words[kCapacity] != shape->positions ||
      words[kLayers] != shape->layers || words[kHeadDim] != shape->head_dim ||
      words[kKvHeads] != shape->kv_heads || words[kVocabulary] != shape->vocabulary) {
    return kKvcOtherShape;
  }
  if (words[kTokens] != words[kRows]) return kKvcRowCount;
  return words[kTokens] >= words[kContext] ? kKvcExceedsContext : kKvcOk;
}

bool Write(std::FILE* file, const void* bytes, std::size_t count) {
  return std::fwrite(bytes, 1, count, file) == count;
}

bool Read(std::FILE* file, void* bytes, std::size_t count) {
  return std::fread(bytes, 1, count, file) == count;
}

KvcError ReadWords(std::FILE* file, std::uint64_t bytes, std::uint32_t words[kWords]) {
  unsigned char raw[kWordBytes];
  if (bytes < kWordBytes || !Read(file, raw, kWordBytes)) return kKvcTruncatedPayload;
  for (int i = 0; i < kWords; ++i) words[i] = KvcGet32(raw + 4 * i);
  return kKvcOk;
}

}  // namespace

std::uint64_t KvcPayloadBytes(const KvShape* shape, std::uint64_t tokens, bool logits) {
  return kWordBytes + 4 * tokens + (logits ? 4 * std::uint64_t{shape->vocabulary} : 0) +
         tokens * shape->TokenBytes();
}

bool KvcWritePayload(std::FILE* file, const KvShape* shape, const KvSnapshot* snapshot) {
  std::uint32_t words[kWords];
  FillWords(shape, static_cast<std::uint32_t>(snapshot->tokens.size()), words);
  unsigned char raw[kWordBytes];
  for (int i = 0; i < kWords; ++i) KvcPut32(raw + 4 * i, words[i]);
  if (!Write(file, raw, kWordBytes)) return false;
  for (const std::int32_t token : snapshot->tokens) {
    KvcPut32(raw, static_cast<std::uint32_t>(token));
    if (!Write(file, raw, 4)) return false;
  }
  for (const float logit : snapshot->logits) {
    std::uint32_t bits;
    std::memcpy(&bits, &logit, 4);
    KvcPut32(raw, bits);
    if (!Write(file, raw, 4)) return false;
  }
  return Write(file, snapshot->rows.data(), snapshot->rows.size());
}

KvcError KvcReadPayload(std::FILE* file, std::uint64_t bytes, const KvShape* shape, bool logits,
                        KvSnapshot* out) {
  std::uint32_t words[kWords];
  KvcError error = ReadWords(file, bytes, words);
  if (error == kKvcOk) error = CheckWords(words, shape);
  if (error != kKvcOk) return error;
  const std::uint64_t expected = KvcPayloadBytes(shape, words[kTokens], logits);
  if (bytes != expected) return bytes < expected ? kKvcTruncatedPayload : kKvcTrailingBytes;
  out->tokens.clear();
  unsigned char raw[4];
  for (std::uint32_t i = 0; i < words[kTokens]; ++i) {
    if (!Read(file, raw, 4)) return kKvcTruncatedPayload;
    const std::uint32_t token = KvcGet32(raw);
    if (token >= shape->vocabulary) return kKvcOtherShape;
    out->tokens.push_back(static_cast<std::int32_t>(token));
  }
  out->logits.resize(logits ? shape->vocabulary : 0);
  for (float& logit : out->logits) {
    if (!Read(file, raw, 4)) return kKvcTruncatedPayload;
    const std::uint32_t bits = KvcGet32(raw);
    std::memcpy(&logit, &bits, 4);
  }
  out->rows.resize(words[kTokens] * shape->TokenBytes());
  return Read(file, out->rows.data(), out->rows.size()) ? kKvcOk : kKvcTruncatedPayload;
}

}  // namespace parity::tiny::paged
