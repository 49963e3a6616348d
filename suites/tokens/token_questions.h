// The questions that a fixture comes to.
#ifndef GTEST_PARITY_SUITES_TOKENS_TOKEN_QUESTIONS_H_
#define GTEST_PARITY_SUITES_TOKENS_TOKEN_QUESTIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/token_evidence.h"
#include "gtest_parity/manifest/token_fixture.h"
#include "gtest_parity/side/token_question.h"

namespace parity {

struct AskedQuestion {
  std::string what;  // "encode with special ids"
  TokenQuestion question;
  std::optional<TokenAnswer> expected;  // by the fixture
};

// The questions of one case.
struct AskedCase {
  std::string fixture, slug;  // "Encode", "emoji"
  std::vector<AskedQuestion> questions;
};

// Encode, Decode and Stream for each text, Decode and Stream for ids alone, Framing for each chat,
// and SpecialIds, which needs no fixture: `fixture` may be null.
std::vector<AskedCase> AskedCasesOf(const TokenFixture* fixture);

using TokenAnswers = std::vector<TokenAnswer>;  // [question]

// [rank] of both sides. Of a stream also whether its pieces together are the side's own whole text.
TokenEvidence EvidenceOf(const AskedCase& asked, const std::vector<TokenAnswers>& reference,
                         const std::vector<TokenAnswers>& candidate);

}  // namespace parity

#endif  // GTEST_PARITY_SUITES_TOKENS_TOKEN_QUESTIONS_H_
