#include "suites/kv/formats/mutations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "suites/kv/formats/yaml_format.h"
#include "tests/kv/formats/hex_record.h"
#include "tests/kv/formats/llama_samples.h"

namespace parity::kv {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::map<std::string, Mutation> BySlug(std::vector<Mutation> mutations) {
  std::map<std::string, Mutation> by_slug;
  for (Mutation& mutation : mutations) by_slug.emplace(mutation.slug, std::move(mutation));
  return by_slug;
}

std::map<std::string, Mutation> Of(const RecordFormat& format, const Bytes& bytes,
                                   const std::string& name) {
  MemoryBytes memory(bytes);
  auto mutations = MutationsOf(format, &memory, format.Decode(&memory, name));
  const std::size_t count = mutations.size();
  auto by_slug = BySlug(std::move(mutations));
  EXPECT_EQ(by_slug.size(), count) << "a slug names two mutations";
  return by_slug;
}

class KvcMutations : public ::testing::Test {
 protected:
  KvcMutations() : hex_(ReadHexRecord("tool_map")) {
    all_ = Of(KvcFormat(), hex_.bytes, hex_.file_name);
  }

  // "bad_quant", "not noticed", "not noticed: trailer_magic", or that there is none.
  std::string Outcome(const std::string& slug) const {
    const auto found = all_.find(slug);
    if (found == all_.end()) return "no such mutation";
    std::string text;
    for (const Problem& problem : found->second.problems) {
      text += (text.empty() ? "" : " ") + std::string(NameOf(problem.kind));
    }
    if (found->second.noticed) return text;
    return text.empty() ? "not noticed" : "not noticed: " + text;
  }

  HexRecord hex_;
  std::map<std::string, Mutation> all_;
};

TEST_F(KvcMutations, AByteOfEveryFieldIsFlipped) {
  EXPECT_EQ(Outcome("flip_magic"), "bad_magic");
  EXPECT_EQ(Outcome("flip_version"), "bad_version");
  EXPECT_EQ(Outcome("flip_quant_bits"), "bad_quant");
  EXPECT_EQ(Outcome("flip_reason"), "not noticed");
  EXPECT_EQ(Outcome("flip_ext"), "not noticed: trailer_unflagged");
  EXPECT_EQ(Outcome("flip_model"), "not noticed");
  EXPECT_EQ(Outcome("flip_tokens"), "payload_tokens");
  EXPECT_EQ(Outcome("flip_hits"), "not noticed");
  EXPECT_EQ(Outcome("flip_abi"), "bad_abi");
  EXPECT_EQ(Outcome("flip_text"), "name_mismatch");
  EXPECT_EQ(Outcome("flip_payload_magic"), "payload_magic");
  EXPECT_EQ(Outcome("flip_payload_tokens"), "payload_rows payload_tokens");
  for (const Field& field : DecodeKvc(hex_.bytes).fields) {
    std::string slug = "flip_";
    for (const char c : field.name) slug += c == '.' || c == '[' ? '_' : c;
    slug.erase(std::remove(slug.begin(), slug.end(), ']'), slug.end());
    EXPECT_THAT(all_, Contains(::testing::Key(slug)));
  }
}

// There is no checksum: only an engine can tell, by what it makes of the record.
TEST_F(KvcMutations, AFlippedByteOfThePayloadIsNotNoticed) {
  EXPECT_EQ(Outcome("flip_payload_token_ids"), "not noticed");
  EXPECT_EQ(Outcome("flip_payload_layer_data"), "not noticed");
  EXPECT_EQ(Outcome("flip_payload_vocab"), "not noticed");
  EXPECT_EQ(Outcome("flip_trailer_0_block"), "not noticed");
}

TEST_F(KvcMutations, CutAtEveryBoundaryAndBesideIt) {
  const std::set<std::uint64_t> boundaries = {0,   3,   4,   52,  85,  137, 145,
                                              149, 153, 157, 202, 212, 257};
  std::set<std::uint64_t> sizes;
  for (const auto& [slug, mutation] : all_) {
    if (!slug.starts_with("cut_at_")) continue;
    EXPECT_TRUE(sizes.insert(mutation.size).second) << slug;
  }
  for (const std::uint64_t at : boundaries) {
    EXPECT_THAT(sizes, Contains(at));
    EXPECT_THAT(sizes, Contains(at + 1));
    if (at > 0) {
      EXPECT_THAT(sizes, Contains(at - 1));
    }
  }
  EXPECT_THAT(sizes, Contains(hex_.bytes.size() - 1));
  EXPECT_THAT(sizes, Not(Contains(hex_.bytes.size())));
  EXPECT_EQ(Outcome("cut_at_start"), "too_short");
  EXPECT_EQ(Outcome("cut_at_text_minus_1"), "truncated");
  EXPECT_EQ(Outcome("cut_at_payload"), "not noticed: trailer_absent");
  EXPECT_EQ(Outcome("cut_at_payload_minus_1"), "truncated");
  EXPECT_EQ(Outcome("cut_at_trailer_0_block"), "not noticed: trailer_truncated");
}

TEST_F(KvcMutations, MagicsVersionsAndAbis) {
  EXPECT_EQ(Outcome("wrong_magic"), "bad_magic");
  for (const char* version : {"0", "2", "3", "4", "5"}) {
    EXPECT_EQ(Outcome(std::string("wrong_version_") + version), "bad_version");
  }
  EXPECT_EQ(Outcome("wrong_version_1"), "no such mutation");  // it is the right one
  EXPECT_EQ(Outcome("wrong_abi_1"), "bad_abi");
  EXPECT_EQ(Outcome("wrong_abi_3"), "bad_abi");
  // Taken for a record of the older generation, whose payloads have no version 2.
  EXPECT_EQ(Outcome("wrong_abi_0"), "payload_version");
  EXPECT_EQ(Outcome("wrong_payload_version_4"), "payload_version");
  EXPECT_EQ(Outcome("wrong_payload_version_3"), "not noticed");
  EXPECT_EQ(Outcome("wrong_trailer_magic"), "not noticed: trailer_magic");
}

TEST_F(KvcMutations, CountsAndLengthsOfAllOnes) {
  EXPECT_EQ(Outcome("most_tokens"), "tokens_negative payload_tokens");
  EXPECT_EQ(Outcome("most_payload_bytes"), "size_overflow");
  EXPECT_EQ(Outcome("most_text_bytes"), "truncated");
  EXPECT_EQ(Outcome("most_payload_layers"), "not noticed");  // a tagged layout: the engine's
  EXPECT_EQ(Outcome("most_trailer_count"), "not noticed: trailer_count");
  EXPECT_EQ(Outcome("most_trailer_1_id_bytes"), "not noticed: trailer_id_length");
}

TEST_F(KvcMutations, AHoleOf4GiB) {
  const Mutation& sparse = all_.at("sparse_payload");
  EXPECT_EQ(sparse.size, hex_.bytes.size() + kSparseBytes);
  EXPECT_EQ(Outcome("sparse_payload"), "not noticed");
  MemoryBytes memory(hex_.bytes);
  OverlayBytes damaged(&memory, sparse.overwrites, sparse.size);
  const Record record = KvcFormat().Decode(&damaged, hex_.file_name);
  EXPECT_EQ(record.FindSection("payload")->bytes, 64 + kSparseBytes);
  EXPECT_EQ(record.FindField("trailer[1].id")->value, "call_ffeeddccbbaa99887766554433221100");
  EXPECT_LT(damaged.bytes_read(), 1000u);
}

TEST_F(KvcMutations, NamesAndTrailingBytes) {
  EXPECT_EQ(Outcome("name_of_another"), "name_mismatch");
  EXPECT_EQ(Outcome("name_upper_case"), "not noticed: name_upper_case");
  EXPECT_EQ(all_.at("name_upper_case").file_name, "912F181A26EBD246384BAE73F3B2D3D73ECC7988.kv");
  EXPECT_EQ(Outcome("trailing_1"), "not noticed: trailer_excess");
  EXPECT_EQ(Outcome("trailing_4096"), "not noticed: trailer_excess");
}

TEST_F(KvcMutations, EachSaysWhatItDoes) {
  for (const auto& [slug, mutation] : all_) {
    EXPECT_FALSE(mutation.what.empty()) << slug;
    EXPECT_EQ(slug.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string::npos)
        << slug;
  }
  EXPECT_EQ(all_.at("flip_tokens").what, "the lowest bit of byte 8 (tokens) flipped");
}

TEST(Mutations, OfALlamaState) {
  const auto all = Of(LlamaStateFormat(),
                      LlamaWriter({.newer = true, .tokens = 2, .layers = 1}).Write(), "a.bin");
  EXPECT_FALSE(all.at("flip_stream_0_v_0_rows").noticed);
  EXPECT_FALSE(all.at("trailing_1").noticed);
  EXPECT_TRUE(all.at("most_tokens").noticed);
  EXPECT_TRUE(all.at("most_stream_0_cells").noticed);
  EXPECT_TRUE(all.at("wrong_magic").noticed);
  EXPECT_FALSE(all.at("wrong_version_2").problems.empty());
  EXPECT_EQ(all.count("name_of_another"), 0u);  // any name will do
}

TEST(Mutations, OfADescribedFormatInItsByteOrder) {
  const YamlFormat format(ReadRecordDescriptionText("f.yaml", R"(
record_format: 1
name: f
endian: big
fields:
  - {name: magic, at: 0, type: u8, equals: 7, role: magic}
  - {name: n, at: 1, type: u64}
sections: [{name: body, length: n}]
)"));
  const auto all = Of(format, {7, 0, 0, 0, 0, 0, 0, 0, 2, 8, 9}, "a");
  EXPECT_EQ(all.at("wrong_magic").problems[0].kind, ProblemKind::kBadMagic);
  EXPECT_EQ(all.at("most_n").problems[0].kind, ProblemKind::kSizeOverflow);
  EXPECT_FALSE(all.at("sparse_body").noticed);
  EXPECT_EQ(all.at("sparse_body").overwrites[0].bytes, (Bytes{0, 0, 0, 1, 0, 0, 0, 2}));
  EXPECT_TRUE(all.at("trailing_1").noticed);
}

// What was already wrong is not the mutation's doing.
TEST(Mutations, ProblemsOfTheRecordItselfAreNotRepeated) {
  const HexRecord hex = ReadHexRecord("serial_abi2");
  const auto all = Of(KvcFormat(), hex.bytes, std::string(40, '0') + ".kv");
  EXPECT_FALSE(all.at("flip_model").noticed);
  EXPECT_TRUE(all.at("flip_quant_bits").noticed);
}

}  // namespace
}  // namespace parity::kv
