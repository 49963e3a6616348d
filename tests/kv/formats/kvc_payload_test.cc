#include "suites/kv/formats/kvc_payload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/kv/formats/kvc_samples.h"

namespace parity::kv {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Record DecodeWith(const KvcPayload& payload, std::uint8_t reason = 3, std::uint8_t abi = 2) {
  KvcParts parts = SampleParts();
  parts.header.reason = reason;
  parts.header.abi = abi;
  parts.payload = WriteKvcPayload(payload);
  return DecodeKvc(WriteKvc(parts));
}

Record DecodeWithWord(KvcWord word, std::uint32_t value) {
  KvcPayload payload = SamplePayload();
  payload.words[word] = value;
  return DecodeWith(payload);
}

// "token_ids 12 logits 20": the payload's sections and their lengths.
std::string SectionsOf(const Record& record) {
  std::string text;
  for (const Section& section : record.sections) {
    if (section.parent != "payload") continue;
    text +=
        (text.empty() ? "" : ", ") + section.name.substr(8) + " " + std::to_string(section.bytes);
  }
  return text;
}

TEST(KvcPayload, SectionsOfAWindowLayout) {
  const Record record = DecodeWith(SamplePayload());
  EXPECT_THAT(record.problems, IsEmpty());
  EXPECT_EQ(
      SectionsOf(record),
      "words 52, token_ids 12, logits 20, compressed_counts 8, indexer_counts 8, layer_data 12");
}

TEST(KvcPayload, BanksKeepNoLogits) {
  KvcPayload payload = SamplePayload();
  payload.logits.clear();
  for (const std::uint8_t reason : {7, 8, 9}) {
    const Record record = DecodeWith(payload, reason);
    EXPECT_EQ(SectionsOf(record),
              "words 52, token_ids 12, compressed_counts 8, indexer_counts 8, layer_data 12");
    EXPECT_THAT(record.problems, IsEmpty());
  }
}

TEST(KvcPayload, EveryTaggedLayoutIsWordsTokensAndTheRest) {
  for (const auto& [tag, name] :
       std::vector<std::pair<std::uint32_t, std::string>>{{0x33524c53, "SLR3"},
                                                          {0x33415845, "EXA3"},
                                                          {0x3346544d, "MTF3"},
                                                          {0x33535444, "DTS3"}}) {
    const Record record = DecodeWithWord(kWordLayout, tag);
    EXPECT_EQ(SectionsOf(record), "words 52, token_ids 12, layer_data 48");
    EXPECT_EQ(record.FindField("payload.layout")->meaning, name);
    EXPECT_THAT(record.problems, IsEmpty());
  }
  EXPECT_EQ(KvcLayoutTag(0x33524c54), "");
}

TEST(KvcPayload, VersionsOfEachGeneration) {
  for (std::uint32_t version = 0; version <= 5; ++version) {
    KvcPayload payload = SamplePayload();
    payload.words[kWordVersion] = version;
    const bool newer = version >= 1 && version <= 3;
    EXPECT_EQ(ProblemsOf(DecodeWith(payload)), newer ? "" : "payload_version") << version;
    EXPECT_EQ(ProblemsOf(DecodeWith(payload, 3, 0)), version == 1 ? "" : "payload_version");
  }
  EXPECT_EQ(ProblemsOf(DecodeWithWord(kWordVersion, UINT32_MAX)), "payload_version");
}

TEST(KvcPayload, WordsThatContradictOneAnother) {
  EXPECT_EQ(ProblemsOf(DecodeWithWord(kWordMagic, 0x34565345)), "payload_magic");
  EXPECT_EQ(ProblemsOf(DecodeWithWord(kWordLiveRows, 2)), "payload_rows");
  EXPECT_EQ(ProblemsOf(DecodeWithWord(kWordLayout, 2)), "payload_rows");  // a window of two rows
  EXPECT_EQ(ProblemsOf(DecodeWithWord(kWordCtx, 4)), "");
  EXPECT_EQ(ProblemsOf(DecodeWithWord(kWordCtx, 3)), "context_full");
  EXPECT_EQ(ProblemsOf(DecodeWithWord(kWordCtx, 2)), "payload_context");
  EXPECT_EQ(ProblemsOf(DecodeWithWord(kWordCompressedCapacity, 2)), "");
  EXPECT_EQ(ProblemsOf(DecodeWithWord(kWordCompressedCapacity, 1)), "payload_capacity");
}

TEST(KvcPayload, TaggedLayoutsHaveARowForEachToken) {
  KvcPayload payload = SamplePayload();
  payload.words[kWordLayout] = 0x3346544d;
  payload.words[kWordLiveRows] = 4;
  EXPECT_EQ(ProblemsOf(DecodeWith(payload)), "payload_rows");
}

TEST(KvcPayload, PayloadAndHeaderCountTheSameTokens) {
  KvcParts parts = SampleParts();
  parts.header.tokens = 4;
  const Record record = DecodeKvc(WriteKvc(parts));
  EXPECT_EQ(ProblemsOf(record), "payload_tokens");
  EXPECT_EQ(record.problems[0].words, "got 3, expected 4 as the header says");
}

TEST(KvcPayload, CountsOfAllOnesAreNoAllocation) {
  EXPECT_EQ(ProblemsOf(DecodeWithWord(kWordTokens, UINT32_MAX)),
            "payload_rows payload_tokens payload_context payload_truncated");
  EXPECT_EQ(ProblemsOf(DecodeWithWord(kWordVocab, UINT32_MAX)), "payload_truncated");
  EXPECT_EQ(ProblemsOf(DecodeWithWord(kWordLayers, UINT32_MAX)), "payload_truncated");
}

// Cut behind every byte: the section that the cut lies in is named, what is before it is read.
TEST(KvcPayload, TruncatedAtEveryByte) {
  const Bytes whole = WriteKvcPayload(SamplePayload());
  const auto section_of = [](std::size_t size) {
    return size < 52   ? "words"
           : size < 64 ? "token_ids"
           : size < 84 ? "logits"
           : size < 92 ? "compressed_counts"
                       : "indexer_counts";
  };
  for (std::size_t size = 0; size < whole.size(); ++size) {
    KvcParts parts = SampleParts();
    parts.payload = Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const Record record = DecodeKvc(WriteKvc(parts));
    if (size >= 100) {  // what a layer's length is only its engine knows
      EXPECT_THAT(record.problems, IsEmpty()) << size;
      continue;
    }
    ASSERT_EQ(ProblemsOf(record), "payload_truncated") << size;
    EXPECT_EQ(record.problems[0].where, std::string("payload.") + section_of(size)) << size;
    EXPECT_EQ(TilingErrorOf(record), "");
  }
}

TEST(KvcPayload, NothingFollowsTheCountsOfNoLayers) {
  KvcPayload payload = SamplePayload();
  payload.words[kWordLayers] = 0;
  payload.compressed_counts.clear();
  payload.indexer_counts.clear();
  payload.layers.clear();
  EXPECT_EQ(ProblemsOf(DecodeWith(payload)), "");
  payload.layers = {0};
  EXPECT_EQ(ProblemsOf(DecodeWith(payload)), "payload_trailing");
}

TEST(KvcPayload, EveryCountOverItsCapacityIsNamed) {
  KvcPayload payload = SamplePayload();
  payload.compressed_counts = {17, 16};
  payload.indexer_counts = {0, UINT32_MAX};
  std::vector<std::string> where;
  for (const Problem& problem : DecodeWith(payload).problems) where.push_back(problem.where);
  EXPECT_THAT(where, ElementsAre("payload.compressed_counts[0]", "payload.indexer_counts[1]"));
}

TEST(KvcPayload, MoreLayersThanAnyModelHasAreNotReadOneByOne) {
  KvcPayload payload = SamplePayload();
  payload.words[kWordLayers] = kKvcMostLayersChecked + 1;
  payload.compressed_counts.assign(kKvcMostLayersChecked + 1, 99);
  payload.indexer_counts.assign(kKvcMostLayersChecked + 1, 0);
  EXPECT_EQ(ProblemsOf(DecodeWith(payload)), "not_checked not_checked");
}

std::string AgainstEngine(KvcWord word, std::uint32_t engines) {
  KvcWords engine = SamplePayload().words;
  engine[word] = engines;
  std::string text;
  for (const Problem& problem : CheckKvcAgainstEngine(SamplePayload().words, engine)) {
    text += std::string(NameOf(problem.kind)) + " " + problem.where + ";";
  }
  return text;
}

TEST(KvcPayload, AnEngineRefusesOtherDimensions) {
  EXPECT_EQ(AgainstEngine(kWordCtx, 8192), "");
  EXPECT_EQ(AgainstEngine(kWordCtx, 8193), "");
  EXPECT_EQ(AgainstEngine(kWordCtx, 8191), "payload_context payload.ctx;");
  EXPECT_EQ(AgainstEngine(kWordLayout, 0x3346544d), "other_family payload.layout;");
  EXPECT_EQ(AgainstEngine(kWordLayout, 5), "other_dimension payload.layout;");
  EXPECT_EQ(AgainstEngine(kWordPrefillChunk, 1), "other_dimension payload.prefill_chunk;");
  EXPECT_EQ(AgainstEngine(kWordLayers, 1), "other_dimension payload.layers;");
  EXPECT_EQ(AgainstEngine(kWordHeadDim, 1), "other_dimension payload.head_dim;");
  EXPECT_EQ(AgainstEngine(kWordIndexerDim, 1), "other_dimension payload.indexer_dim;");
  EXPECT_EQ(AgainstEngine(kWordVocab, 1), "other_dimension payload.vocab;");
}

// They follow from the context and from what the record holds.
TEST(KvcPayload, AnEngineTakesOtherCapacities) {
  for (const KvcWord word : {kWordRawCapacity, kWordCompressedCapacity, kWordTokens}) {
    EXPECT_EQ(AgainstEngine(word, 1), "");
  }
}

}  // namespace
}  // namespace parity::kv
