// Every rule on answers about text and ids.
#include "gtest_parity/judge/judge_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TokenAnswer OfIds(std::vector<std::int32_t> ids) { return {.ids = std::move(ids)}; }
TokenAnswer OfTexts(std::vector<std::string> texts) { return {.texts = std::move(texts)}; }

TokenCheck Check(TokenAnswer reference, TokenAnswer candidate,
                 std::optional<TokenAnswer> expected = std::nullopt) {
  return {"encode", "tokenize", 0, reference, candidate, expected, expected, "the fixture"};
}

Verdict JudgeOne(const TokenCheck& check) { return JudgeTokens({"Encode emoji", {check}, 1}); }

TEST(JudgeTokens, EqualAnswersPass) {
  const Verdict verdict = JudgeOne(Check(OfIds({1, 2}), OfIds({1, 2}), OfIds({1, 2})));
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_EQ(verdict.summary, "1 answer equal");
  EXPECT_EQ(verdict.compared, 1u);
}

TEST(JudgeTokens, EmptyAnswersAreAnswers) {
  EXPECT_EQ(JudgeOne(Check(OfIds({}), OfIds({}), OfIds({}))).outcome, Outcome::kPass);
}

TEST(JudgeTokens, ADifferentIdFailsWithPlaceAndBothIds) {
  const Verdict verdict = JudgeOne(Check(OfIds({7, 8, 9}), OfIds({7, 6}), OfIds({7, 8, 9})));
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_EQ(verdict.summary,
            "Encode emoji, rank 0, encode: differs at 1 (lengths 3 and 2), got reference 8, "
            "candidate 6, allowed the reference's answer; the fixture agrees with the reference");
  EXPECT_EQ(*FindProperty(verdict, "rank"), "0");
}

TEST(JudgeTokens, AMissingIdFails) {
  EXPECT_THAT(JudgeOne(Check(OfIds({7, 8}), OfIds({7}))).summary,
              HasSubstr("got reference 8, candidate nothing"));
}

TEST(JudgeTokens, ACandidateThatMendsTheReferenceDiffersAllTheSame) {
  const Verdict verdict = JudgeOne(Check(OfIds({7}), OfIds({8}), OfIds({8})));
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("the fixture agrees with the candidate"));
}

TEST(JudgeTokens, BothWrongInTheSameWayIsAStar) {
  const Verdict verdict = JudgeOne(Check(OfIds({7}), OfIds({7}), OfIds({8})));
  EXPECT_EQ(verdict.outcome, Outcome::kPassStar);
  EXPECT_THAT(verdict.summary, AllOf(HasSubstr("the reference fails the same way"),
                                     HasSubstr("expected 8, candidate 7")));
}

TEST(JudgeTokens, WrongByItsOwnMeasureAloneFails) {
  TokenCheck check = Check(OfTexts({"ab"}), OfTexts({"ab"}), OfTexts({"ab"}));
  check.expected_of_candidate = OfTexts({"aX"});
  check.expected_by = "its own whole decode";
  const Verdict verdict = JudgeOne(check);
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("differs at byte 1 from its own whole decode, got "
                                         "expected \"aX\", candidate \"ab\""));
}

TEST(JudgeTokens, TextsAreComparedByBytesAndShownEscaped) {
  const Verdict verdict =
      JudgeOne(Check(OfTexts({"a", "\xf0\x9f"}), OfTexts({"a", "\xef\xbf\xbd"})));
  EXPECT_THAT(verdict.summary, HasSubstr("differs at byte 0 of piece 1, got reference "
                                         "\"\\xf0\\x9f\", candidate \"\\xef\\xbf\\xbd\""));
}

TEST(JudgeTokens, NamesAreComparedWithTheirIds) {
  const TokenAnswer both{.ids = {0, 1}, .texts = {"bos", "eos"}};
  const TokenAnswer shifted{.ids = {0, 2}, .texts = {"bos", "eos"}};
  const TokenAnswer renamed{.ids = {0, 1}, .texts = {"bos", "end"}};
  EXPECT_THAT(JudgeOne(Check(both, shifted)).summary,
              HasSubstr("reference eos 1, candidate eos 2"));
  EXPECT_THAT(JudgeOne(Check(both, renamed)).summary,
              HasSubstr("reference eos 1, candidate end 1"));
}

TEST(JudgeTokens, WhatTheReferenceDoesNotOfferIsBlocked) {
  const TokenAnswer none{.offered = false, .error = "unsupported: tokenize"};
  const Verdict verdict = JudgeOne(Check(none, OfIds({1}), OfIds({1})));
  EXPECT_EQ(verdict.outcome, Outcome::kBlocked);
  EXPECT_EQ(verdict.summary, "the reference does not offer `tokenize`");
  EXPECT_EQ(*FindProperty(verdict, "needs"), "tokenize");
  EXPECT_EQ(verdict.compared, 0u);
}

TEST(JudgeTokens, WhatOnlyTheCandidateDoesNotOfferFails) {
  const TokenAnswer none{.offered = false, .error = "unsupported: tokenize"};
  const Verdict verdict = JudgeOne(Check(OfIds({1}), none));
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("the candidate does not offer `tokenize`"));
}

TEST(JudgeTokens, AFailureOutweighsWhatIsBlocked) {
  const TokenAnswer none{.offered = false, .error = "unsupported: frame"};
  const TokenEvidence evidence{
      "Encode a", {Check(none, OfIds({1})), Check(OfIds({1}), OfIds({2}))}, 2};
  EXPECT_EQ(JudgeTokens(evidence).outcome, Outcome::kFail);
}

TEST(JudgeTokens, RefusalsAreComparedByTheirStatus) {
  const TokenAnswer invalid{.error = "invalid: tokenize: not UTF-8"};
  const TokenAnswer other_words{.error = "invalid: tokenize: bad byte at 4"};
  const TokenAnswer failed{.error = "failed: tokenize: not UTF-8"};
  EXPECT_EQ(JudgeOne(Check(invalid, other_words)).outcome, Outcome::kPass);
  EXPECT_EQ(JudgeOne(Check(invalid, failed)).outcome, Outcome::kFail);
  const Verdict verdict = JudgeOne(Check(OfIds({1}), invalid));
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("reference an answer, candidate invalid: tokenize"));
  EXPECT_EQ(JudgeOne(Check(invalid, invalid, OfIds({1}))).outcome, Outcome::kPassStar);
}

TEST(JudgeTokens, FewerAnswersThanExpectedAreNotCompared) {
  EXPECT_EQ(JudgeTokens({"Encode a", {Check(OfIds({1}), OfIds({1}))}, 2}).outcome,
            Outcome::kNotCompared);
  EXPECT_EQ(JudgeTokens(TokenEvidence()).outcome, Outcome::kNotCompared);
}

}  // namespace
}  // namespace parity
