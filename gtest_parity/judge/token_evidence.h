// What two sides answered to questions about text and ids.
#ifndef GTEST_PARITY_JUDGE_TOKEN_EVIDENCE_H_
#define GTEST_PARITY_JUDGE_TOKEN_EVIDENCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parity {

struct TokenAnswer {
  bool offered = true;  // false: the engine has no such function
  std::string error;    // "invalid: tokenize: ...": it did not answer
  // What it answered: ids, texts, or names in `texts` with their ids beside them.
  std::vector<std::int32_t> ids;
  std::vector<std::string> texts;
};

// One question to both sides on one rank.
struct TokenCheck {
  std::string what;      // "encode", "encode with special ids"
  std::string function;  // of engine.h
  int rank = 0;
  TokenAnswer reference, candidate;
  // What each side is held to besides; of the fixture it is the same for both.
  std::optional<TokenAnswer> expected_of_reference, expected_of_candidate;
  std::string expected_by;  // "the fixture", "its own whole decode"
};

struct TokenEvidence {
  std::string name;  // "Encode emoji"
  std::vector<TokenCheck> checks;
  std::uint64_t expected = 0;  // checks that had to be
};

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_TOKEN_EVIDENCE_H_
