// The engine's section of a KVC record: 13 words, then arrays whose sizes they give.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_KVC_PAYLOAD_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_KVC_PAYLOAD_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "suites/kv/formats/kvc_generation.h"
#include "suites/kv/formats/kvc_header.h"
#include "suites/kv/formats/record_reader.h"

namespace parity::kv {

enum KvcWord : std::size_t {
  kWordMagic,
  kWordVersion,
  kWordCtx,
  kWordPrefillChunk,
  kWordRawCapacity,
  kWordLayout,  // the raw window, or a layout's tag
  kWordCompressedCapacity,
  kWordTokens,
  kWordLayers,
  kWordHeadDim,
  kWordIndexerDim,
  kWordVocab,
  kWordLiveRows,
  kKvcWordCount,
};
using KvcWords = std::array<std::uint32_t, kKvcWordCount>;

inline constexpr std::uint32_t kKvcPayloadMagic = 0x34565344;  // "DSV4"
inline constexpr std::uint64_t kKvcWordsBytes = 4 * kKvcWordCount;
// More layers than this, and their counts are not read to be held against the capacity.
inline constexpr std::uint32_t kKvcMostLayersChecked = 4096;

// "TNY1": of the engines that come with the plugin, each token's keys and values of all heads.
inline constexpr std::uint32_t kKvcTinyLayout = 0x31594e54;
// The layout that a tag names: "SLR3", "EXA3", "MTF3", "DTS3", "TNY1"; empty where word 5 is a
// window.
std::string_view KvcLayoutTag(std::uint32_t word);

// "words", "token_ids" and, where word 5 is a window, "logits" (not of banks), "compressed_counts",
// "indexer_counts" and "layer_data"; of tagged layouts "layer_data" is all that follows the token
// ids (of TNY1 the logits, which it has as the others do). How long a layer is only its engine
// knows.
void DecodeKvcPayload(Range payload, const KvcHeader& header, const KvcGeneration& generation,
                      RecordReader* reader);

// What an engine with the dimensions of `engine` refuses of a payload that is whole.
std::vector<Problem> CheckKvcAgainstEngine(const KvcWords& payload, const KvcWords& engine);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_KVC_PAYLOAD_H_
