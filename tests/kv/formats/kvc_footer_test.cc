#include "suites/kv/formats/kvc_footer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/kv/formats/kvc_reason.h"
#include "tests/kv/formats/kvc_samples.h"

namespace parity::kv {
namespace {

KvcIdentity Identity(std::uint8_t last) {
  KvcIdentity identity;
  for (std::size_t i = 0; i < identity.size(); ++i) identity[i] = static_cast<std::uint8_t>(i);
  identity.back() = last;
  return identity;
}

KvcParts WithIdentity() {
  KvcParts parts = SampleParts();
  parts.identity = Identity(31);
  return parts;
}

TEST(KvcFooter, IsTheLastFortyBytes) {
  const Bytes bytes = WriteKvc(WithIdentity());
  EXPECT_EQ(HexOf(std::span(bytes).last(40)),
            "4b564901000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f4b564921");
  const Record record = DecodeKvc(bytes);
  EXPECT_EQ(ProblemsOf(record), "");
  EXPECT_EQ(record.FindSection("footer")->offset, bytes.size() - 40);
  EXPECT_EQ(TilingErrorOf(record), "");
  EXPECT_EQ(CheckKvcIdentity(record, Identity(31)), std::nullopt);
}

TEST(KvcFooter, StandsBehindATrailer) {
  KvcParts parts = WithIdentity();
  parts.tools = {{"call_0123456789abcdef0123456789abcdef", "Hello"}};
  const Record record = DecodeKvc(WriteKvc(parts));
  EXPECT_EQ(ProblemsOf(record), "");
  EXPECT_EQ(record.FindField("ext")->value, kKvcToolMap | kKvcIdentityFooter);
  EXPECT_EQ(record.FindSection("trailer")->bytes, 8u + 8 + 37 + 5);
  EXPECT_EQ(record.FindSection("footer")->bytes, 40u);
}

TEST(KvcFooter, AnothersIdentityIsRefused) {
  const auto problem = CheckKvcIdentity(DecodeKvc(WriteKvc(WithIdentity())), Identity(32));
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->kind, ProblemKind::kIdentityMismatch);
  EXPECT_TRUE(Refuses(*problem));
}

TEST(KvcFooter, ARecordWithoutIdentityIsRefusedWhereOneIsExpected) {
  const auto problem = CheckKvcIdentity(DecodeKvc(WriteKvc(SampleParts())), Identity(31));
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->kind, ProblemKind::kIdentityMissing);
}

TEST(KvcFooter, DamagedMarksAreNoFooter) {
  const Bytes whole = WriteKvc(WithIdentity());
  for (const std::size_t at : {std::size_t{0}, std::size_t{3}, std::size_t{36}, std::size_t{39}}) {
    Bytes bytes = whole;
    bytes[bytes.size() - 40 + at] ^= 1;
    const Record record = DecodeKvc(bytes);
    ASSERT_NE(record.Refusal(), nullptr) << at;
    EXPECT_EQ(record.Refusal()->kind, ProblemKind::kIdentityMissing) << at;
    EXPECT_EQ(TilingErrorOf(record), "");
  }
  Bytes bytes = whole;
  bytes.pop_back();
  EXPECT_EQ(ProblemsOf(DecodeKvc(bytes)), "identity_missing trailer_magic trailer_unflagged");
}

// A payload that is wrong as well is the engine's to refuse, later.
TEST(KvcFooter, TheIdentityIsReportedBeforeThePayload) {
  Bytes bytes = WriteKvc(WithIdentity());
  bytes[63] ^= 1;                // the payload's magic
  bytes[bytes.size() - 1] ^= 1;  // the footer's last
  const Record record = DecodeKvc(bytes);
  EXPECT_EQ(record.Refusal()->kind, ProblemKind::kIdentityMissing);
  EXPECT_TRUE(record.Has(ProblemKind::kPayloadMagic));
}

TEST(KvcFooter, UpstreamKnowsNoFooter) {
  KvcParts parts = WithIdentity();
  parts.header.abi = 0;
  parts.payload[4] = 1;  // the payload version of that generation
  const Record record = DecodeKvc(WriteKvc(parts));
  EXPECT_EQ(record.FindSection("footer"), nullptr);
  EXPECT_EQ(ProblemsOf(record), "trailer_magic trailer_unflagged");
}

}  // namespace
}  // namespace parity::kv
