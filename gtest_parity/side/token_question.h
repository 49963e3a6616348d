// A question about text and ids, put to an engine where it is.
#ifndef GTEST_PARITY_SIDE_TOKEN_QUESTION_H_
#define GTEST_PARITY_SIDE_TOKEN_QUESTION_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gtest_parity/engine/rank.h"
#include "gtest_parity/judge/token_evidence.h"

namespace parity {

struct TokenQuestion {
  enum class Call : std::uint8_t {
    kTokenize,    // text, flags -> ids
    kDetokenize,  // ids, flags -> one text
    kStream,      // ids one by one, then the end -> a text for each, and the last
    kRoundTrip,   // ids to text and back, flags -> ids
    kSpecialIds,  // -> names and ids
    kFrame,       // text: messages as JSON -> ids
  };
  Call call = Call::kTokenize;
  std::string text;
  std::vector<std::int32_t> ids;
  std::uint32_t flags = 0;  // of engine.h
};

// The function of engine.h that it needs first.
const char* FunctionOf(TokenQuestion::Call call);

// That the engine does not answer is an answer too.
TokenAnswer Ask(Rank& rank, const TokenQuestion& question);

nlohmann::json ToWire(const TokenQuestion& question);
nlohmann::json ToWire(const TokenAnswer& answer);
// Throw nlohmann::json::exception or std::invalid_argument for what is not such a value.
TokenQuestion QuestionFromWire(const nlohmann::json& wire);
TokenAnswer AnswerFromWire(const nlohmann::json& wire);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_TOKEN_QUESTION_H_
