#include "suites/kv/formats/kvc_header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/kv/formats/kvc_samples.h"

namespace parity::kv {
namespace {

// No two bytes are alike, so that a swapped pair or a wrong order shows.
KvcHeader Asymmetric() {
  return {4,
          9,
          0x55,
          3,
          0x01020304,
          0x05060708,
          0x090a0b0c,
          2,
          0x0d0e0f,
          0x1011121314151617,
          0x18191a1b1c1d1e1f,
          0x2021222324252627,
          0x28292a2b};
}

std::string ProblemsAt(std::size_t offset, unsigned byte,
                       const KvcGeneration& generation = kKvcAbi2) {
  KvcPrefix bytes = EncodeKvcHeader(SampleParts().header);
  bytes[offset] = static_cast<std::uint8_t>(byte);
  std::string text;
  for (const Problem& problem : CheckKvcHeader(bytes, generation)) {
    text += (text.empty() ? "" : " ") + std::string(NameOf(problem.kind));
  }
  return text;
}

TEST(KvcHeader, EveryFieldHasItsPlaceAndIsLittleEndian) {
  EXPECT_EQ(HexOf(EncodeKvcHeader(Asymmetric())),
            "4b564301"
            "04095503"
            "04030201"
            "08070605"
            "0c0b0a09"
            "020f0e0d"
            "1716151413121110"
            "1f1e1d1c1b1a1918"
            "2726252423222120"
            "2b2a2928");
  EXPECT_EQ(DecodeKvcHeader(EncodeKvcHeader(Asymmetric())), Asymmetric());
}

TEST(KvcHeader, HoldsTheLargestValues) {
  const KvcHeader most{255, 255,      255,        255,        UINT32_MAX, UINT32_MAX, UINT32_MAX,
                       255, 0xffffff, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT32_MAX};
  EXPECT_EQ(DecodeKvcHeader(EncodeKvcHeader(most)), most);
  EXPECT_EQ(DecodeKvcHeader(EncodeKvcHeader({})), KvcHeader());
}

TEST(KvcHeader, FieldsAndMaskOfARecord) {
  Record record;
  AddKvcHeader(EncodeKvcHeader(Asymmetric()), kKvcAbi2, &record);
  EXPECT_EQ(record.FindField("magic")->value, "4b5643");
  EXPECT_EQ(record.FindField("reason")->meaning, "bank-checkpoint");
  EXPECT_EQ(record.FindField("ext")->meaning,
            "tool_map thinking_visible bank_replay identity_footer");
  EXPECT_EQ(record.FindField("tokens")->value, 0x01020304);
  EXPECT_EQ(record.FindField("reserved")->value, "0f0e0d");
  EXPECT_EQ(record.FindField("payload_bytes")->section, "payload");
  for (std::uint64_t at = 0; at < kKvcPrefixBytes; ++at) {
    EXPECT_EQ(record.IsMasked(at), (at >= 12 && at < 16) || (at >= 24 && at < 40)) << at;
  }
}

TEST(KvcHeader, AReasonOfTheOtherGenerationIsUnknown) {
  Record record;
  AddKvcHeader(EncodeKvcHeader(Asymmetric()), kKvcUpstream, &record);
  EXPECT_EQ(record.FindField("reason")->value, 9);
  EXPECT_EQ(record.FindField("reason")->meaning, "unknown");
}

// Each byte of the header with each value: what is refused is this and nothing else.
TEST(KvcHeader, EveryByteWithEveryValue) {
  for (std::size_t at = 0; at < kKvcPrefixBytes; ++at) {
    for (unsigned value = 0; value < 256; ++value) {
      std::string expected;
      if (at < 3 && value != static_cast<unsigned>("KVC"[at])) expected = "bad_magic";
      if (at == 3 && value != 1) expected = "bad_version";
      if (at == 4 && value != 2 && value != 4) expected = "bad_quant";
      if (at == 8 && value == 0) expected = "zero_tokens";  // the sample has three tokens
      if (at == 11 && value >= 128) expected = "tokens_negative";
      if (at == 20 && value != 2) expected = "bad_abi";
      ASSERT_EQ(ProblemsAt(at, value), expected) << at << " " << value;
    }
  }
}

// The older reader takes byte 20 for reserved, so that it would load what it cannot know.
TEST(KvcHeader, GenerationsDifferInTheAbi) {
  for (unsigned abi = 0; abi < 256; ++abi) {
    EXPECT_EQ(ProblemsAt(20, abi, kKvcUpstream), "");
    EXPECT_EQ(ProblemsAt(20, abi, kKvcAbi2), abi == 2 ? "" : "bad_abi");
  }
}

TEST(KvcHeader, AllThatIsWrongIsTold) {
  KvcHeader header = SampleParts().header;
  header.quant_bits = 8;
  header.tokens = 0;
  header.abi = 3;
  const auto problems = CheckKvcHeader(EncodeKvcHeader(header), kKvcAbi2);
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(TextOf(problems[0]), "bad_quant: quant_bits: got 8, expected 2 or 4");
  EXPECT_EQ(TextOf(problems[1]), "zero_tokens: tokens: got 0, expected at least 1");
  EXPECT_EQ(TextOf(problems[2]), "bad_abi: abi: got 3, expected 2");
}

TEST(KvcHeader, TheBodyEndsWhereBothLengthsSay) {
  KvcHeader header;
  header.text_bytes = UINT32_MAX;
  header.payload_bytes = UINT64_MAX - UINT32_MAX - 52;
  EXPECT_EQ(KvcBodyEnd(header), UINT64_MAX);
  ++header.payload_bytes;
  EXPECT_EQ(KvcBodyEnd(header), std::nullopt);
}

}  // namespace
}  // namespace parity::kv
