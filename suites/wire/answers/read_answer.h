// Answers out of whole bodies, and out of streams by joining what they send.
#ifndef GTEST_PARITY_SUITES_WIRE_ANSWERS_READ_ANSWER_H_
#define GTEST_PARITY_SUITES_WIRE_ANSWERS_READ_ANSWER_H_

#include <nlohmann/json.hpp>
#include <vector>

#include "suites/wire/answers/answer.h"
#include "suites/wire/sse/stream_event.h"
#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

// Parts that are missing or of another type are left empty: schemas and rules tell of them.
Answer AnswerOfBody(Surface surface, const nlohmann::json& body);

// From the deltas alone, as a client joins them; what the final object of a Responses stream says
// of its output does not count here.
Answer AnswerOfStream(Surface surface, const std::vector<StreamEvent>& events);

// The object that ends a Responses stream; null where there is none.
const nlohmann::json& FinalObjectOf(const std::vector<StreamEvent>& events);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_ANSWERS_READ_ANSWER_H_
