#include "suites/kv/formats/kvc_payload.h"

#include <algorithm>
#include <string>

#include "suites/kv/formats/byte_order.h"
#include "suites/kv/formats/kvc_reason.h"

namespace parity::kv {
namespace {

constexpr std::array<std::string_view, kKvcWordCount> kWordNames = {
    "magic",  "version", "ctx",      "prefill_chunk", "raw_capacity", "layout",   "capacity",
    "tokens", "layers",  "head_dim", "indexer_dim",   "vocab",        "live_rows"};

std::string WordName(std::size_t word) { return "payload." + std::string(kWordNames[word]); }

std::string Got(std::uint64_t got, const std::string& expected) {
  return "got " + std::to_string(got) + ", expected " + expected;
}

class PayloadDecoder {
 public:
  PayloadDecoder(Range payload, const KvcHeader& header, const KvcGeneration& generation,
                 RecordReader* reader)
      : payload_(payload), header_(header), generation_(generation), reader_(reader) {}

  void Decode() {
    if (!ReadWords() || !CheckVersion()) return;
    CheckCounts();
    if (!TakeSection("token_ids", 4 * std::uint64_t{words_[kWordTokens]})) return;
    const bool tagged = !KvcLayoutTag(words_[kWordLayout]).empty();
    if (words_[kWordLayout] == kKvcTinyLayout && !TakeLogits()) return;
    if (!tagged && !(TakeLogits() && TakeArrays())) return;
    const std::uint64_t rest = payload_.end() - at_;
    TakeSection("layer_data", rest);
    if (!tagged && words_[kWordLayers] == 0 && rest > 0) {
      Refuse(ProblemKind::kPayloadTrailing, "payload.layer_data",
             std::to_string(rest) + " bytes behind the last section of a payload without layers");
    }
  }

 private:
  bool ReadWords() {
    at_ = payload_.offset;
    if (payload_.bytes < kKvcWordsBytes) {
      Rest();
      Refuse(ProblemKind::kPayloadTruncated, "payload.words",
             Got(payload_.bytes, "52 bytes of words"));
      return false;
    }
    for (std::size_t word = 0; word < kKvcWordCount; ++word) {
      const auto value = reader_->Unsigned(WordName(word), at_ + 4 * word, 4,
                                           ProblemKind::kTruncated, RoleOf(word));
      if (!value) return false;
      words_[word] = static_cast<std::uint32_t>(*value);
    }
    Field& layout = reader_->record()->fields.end()[kWordLayout - kKvcWordCount];
    layout.meaning = KvcLayoutTag(words_[kWordLayout]);
    return TakeSection("words", kKvcWordsBytes);
  }

  static FieldRole RoleOf(std::size_t word) {
    if (word == kWordMagic) return FieldRole::kMagic;
    if (word == kWordVersion) return FieldRole::kVersion;
    const bool count =
        word == kWordTokens || word == kWordLayers || word == kWordVocab || word == kWordLiveRows;
    return count ? FieldRole::kCount : FieldRole::kPlain;
  }

  // What follows a strange magic or version has a layout that nobody knows.
  bool CheckVersion() {
    if (words_[kWordMagic] != kKvcPayloadMagic) {
      Refuse(ProblemKind::kPayloadMagic, WordName(kWordMagic),
             Got(words_[kWordMagic], std::to_string(kKvcPayloadMagic) + " (DSV4)"));
      Rest();
      return false;
    }
    const std::uint32_t version = words_[kWordVersion];
    if (version < generation_.least_payload_version || version > generation_.most_payload_version) {
      Refuse(ProblemKind::kPayloadVersion, WordName(kWordVersion),
             Got(version, std::to_string(generation_.least_payload_version) + " to " +
                              std::to_string(generation_.most_payload_version)));
      Rest();
      return false;
    }
    return true;
  }

  void CheckCounts() {
    const std::uint32_t tokens = words_[kWordTokens], ctx = words_[kWordCtx];
    const bool tagged = !KvcLayoutTag(words_[kWordLayout]).empty();
    const std::uint32_t rows = tagged ? tokens : std::min(tokens, words_[kWordLayout]);
    if (words_[kWordLiveRows] != rows) {
      Refuse(ProblemKind::kPayloadRows, WordName(kWordLiveRows),
             Got(words_[kWordLiveRows], std::to_string(rows)));
    }
    if (tokens != header_.tokens) {
      Refuse(ProblemKind::kPayloadTokens, WordName(kWordTokens),
             Got(tokens, std::to_string(header_.tokens) + " as the header says"));
    }
    if (tokens > ctx) {
      Refuse(ProblemKind::kPayloadContext, WordName(kWordTokens),
             Got(tokens, "less than the context of " + std::to_string(ctx)));
    } else if (tokens == ctx) {
      Refuse(ProblemKind::kContextFull, WordName(kWordTokens),
             Got(tokens, "less than the context of " + std::to_string(ctx)));
    }
  }

  // Of the frontier, which a bank's record does not carry.
  bool TakeLogits() {
    if (KvcReasonOf(header_.reason, generation_).family == KvcFamily::kBank) return true;
    return TakeSection("logits", 4 * std::uint64_t{words_[kWordVocab]});
  }

  bool TakeArrays() {
    const std::uint64_t layers = words_[kWordLayers];
    for (const char* name : {"compressed_counts", "indexer_counts"}) {
      const std::uint64_t begin = at_;
      if (!TakeSection(name, 4 * layers)) return false;
      CheckCapacity(name, {begin, 4 * layers});
    }
    return true;
  }

  void CheckCapacity(const char* name, Range range) {
    const std::string where = std::string("payload.") + name;
    if (range.bytes / 4 > kKvcMostLayersChecked) {
      Refuse(ProblemKind::kNotChecked, where,
             std::to_string(range.bytes / 4) + " counts, read are at most " +
                 std::to_string(kKvcMostLayersChecked));
      return;
    }
    const auto bytes = reader_->Take(range, where, ProblemKind::kTruncated);
    for (std::size_t layer = 0; bytes && layer < range.bytes / 4; ++layer) {
      const std::uint64_t count = LoadUnsigned(std::span(*bytes).subspan(4 * layer, 4));
      if (count <= words_[kWordCompressedCapacity]) continue;
      Refuse(
          ProblemKind::kPayloadCapacity, where + "[" + std::to_string(layer) + "]",
          Got(count, "at most the capacity of " + std::to_string(words_[kWordCompressedCapacity])));
    }
  }

  bool TakeSection(const char* name, std::uint64_t bytes) {
    const std::uint64_t left = payload_.end() - at_;
    if (bytes > left) {
      Refuse(ProblemKind::kPayloadTruncated, std::string("payload.") + name,
             Got(left, std::to_string(bytes) + " bytes"));
      Rest();
      return false;
    }
    reader_->record()->sections.push_back({std::string("payload.") + name, at_, bytes, "payload"});
    at_ += bytes;
    return true;
  }

  void Rest() {
    reader_->record()->sections.push_back({"payload.rest", at_, payload_.end() - at_, "payload"});
  }

  void Refuse(ProblemKind kind, std::string where, std::string words) {
    reader_->record()->Add(kind, std::move(where), std::move(words));
  }

  const Range payload_;
  const KvcHeader& header_;
  const KvcGeneration& generation_;
  RecordReader* reader_;
  KvcWords words_ = {};
  std::uint64_t at_ = 0;
};

}  // namespace

std::string_view KvcLayoutTag(std::uint32_t word) {
  switch (word) {
    case 0x33524c53:
      return "SLR3";
    case 0x33415845:
      return "EXA3";
    case 0x3346544d:
      return "MTF3";
    case 0x33535444:
      return "DTS3";
    case kKvcTinyLayout:
      return "TNY1";
    default:
      return "";
  }
}

void DecodeKvcPayload(Range payload, const KvcHeader& header, const KvcGeneration& generation,
                      RecordReader* reader) {
  PayloadDecoder(payload, header, generation, reader).Decode();
}

std::vector<Problem> CheckKvcAgainstEngine(const KvcWords& payload, const KvcWords& engine) {
  std::vector<Problem> problems;
  const auto differs = [&](std::size_t word, ProblemKind kind) {
    if (payload[word] != engine[word]) {
      problems.push_back({kind, WordName(word),
                          Got(payload[word], std::to_string(engine[word]) + " as the engine has")});
    }
  };
  if (KvcLayoutTag(payload[kWordLayout]) != KvcLayoutTag(engine[kWordLayout])) {
    differs(kWordLayout, ProblemKind::kOtherFamily);
    return problems;
  }
  if (payload[kWordCtx] > engine[kWordCtx]) {
    problems.push_back(
        {ProblemKind::kPayloadContext, WordName(kWordCtx),
         Got(payload[kWordCtx], "at most the engine's " + std::to_string(engine[kWordCtx]))});
  }
  // The capacities follow from the context, which may be smaller than the engine's.
  for (const std::size_t word :
       {kWordPrefillChunk, kWordLayout, kWordLayers, kWordHeadDim, kWordIndexerDim, kWordVocab}) {
    differs(word, ProblemKind::kOtherDimension);
  }
  return problems;
}

}  // namespace parity::kv
