#include "suites/kv/formats/kvc_reason.h"

#include <gtest/gtest.h>

#include <string>

namespace parity::kv {
namespace {

// The documented table, a second time and in another form: family digit, anchor, superseded.
constexpr const char* kExpected[] = {"unknown 0--",        "cold 1a-",       "continued 1-s",
                                     "evict 1a-",          "shutdown 1a-",   "agent-system 2--",
                                     "agent-session 2--",  "bank-evict 3a-", "bank-shutdown 3a-",
                                     "bank-checkpoint 3as"};

std::string TextOf(const KvcReason& reason) {
  return std::string(reason.name) + " " + std::to_string(static_cast<int>(reason.family)) +
         (reason.anchor ? "a" : "-") + (reason.superseded ? "s" : "-");
}

TEST(KvcReason, EveryByteIsAReason) {
  ASSERT_EQ(KvcReasons().size(), 10u);
  for (unsigned code = 0; code < 256; ++code) {
    const auto byte = static_cast<std::uint8_t>(code);
    EXPECT_EQ(TextOf(KvcReasonOf(byte, kKvcAbi2)), kExpected[code <= 9 ? code : 0]) << code;
    EXPECT_EQ(TextOf(KvcReasonOf(byte, kKvcUpstream)), kExpected[code <= 6 ? code : 0]) << code;
    if (code < 10) {
      EXPECT_EQ(KvcReasons()[code].code, code);
    }
  }
}

// All 65,536 pairs, by the rule in words: serial without the bank's bit, bank with it.
TEST(KvcReason, ReplaysUnaskedOnlyWhereFamilyAndBitAgree) {
  int replayed = 0;
  for (unsigned reason = 0; reason < 256; ++reason) {
    for (unsigned ext = 0; ext < 256; ++ext) {
      const bool serial = reason >= 1 && reason <= 4, bank = reason >= 7 && reason <= 9;
      const bool expected = (serial && ext / 16 % 2 == 0) || (bank && ext / 16 % 2 == 1);
      const auto r = static_cast<std::uint8_t>(reason), e = static_cast<std::uint8_t>(ext);
      ASSERT_EQ(KvcReplaysUnasked(r, e), expected) << reason << " " << ext;
      // The older generation has no banks: the bit says nothing to it.
      ASSERT_EQ(KvcReplaysUnasked(r, e, kKvcUpstream), serial) << reason << " " << ext;
      replayed += expected ? 1 : 0;
    }
  }
  EXPECT_EQ(replayed, (4 + 3) * 128);
}

TEST(KvcReason, FlagsHaveNames) {
  EXPECT_EQ(KvcExtNames(0), "");
  EXPECT_EQ(KvcExtNames(17), "tool_map bank_replay");
  EXPECT_EQ(KvcExtNames(0xff),
            "tool_map responses_visible thinking_visible session_title bank_replay image_pixels "
            "identity_footer 0x80");
}

TEST(KvcReason, ResponsesWinOverThinkingAsTheKind) {
  EXPECT_EQ(KvcKeyKind(0), "token-text");
  EXPECT_EQ(KvcKeyKind(kKvcThinkingVisible), "thinking-visible");
  EXPECT_EQ(KvcKeyKind(kKvcResponsesVisible | kKvcThinkingVisible), "responses-visible");
  EXPECT_EQ(KvcKeyKind(kKvcToolMap | kKvcSessionTitle), "token-text");
}

TEST(KvcReason, FamiliesHaveNames) {
  EXPECT_EQ(NameOf(KvcFamily::kUnknown), "unknown");
  EXPECT_EQ(NameOf(KvcFamily::kSerial), "serial");
  EXPECT_EQ(NameOf(KvcFamily::kAgent), "agent");
  EXPECT_EQ(NameOf(KvcFamily::kBank), "bank");
}

}  // namespace
}  // namespace parity::kv
