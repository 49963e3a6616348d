// Errors in each surface's envelope.
#ifndef GTEST_PARITY_SUITES_WIRE_ANSWERS_ERROR_OF_H_
#define GTEST_PARITY_SUITES_WIRE_ANSWERS_ERROR_OF_H_

#include <nlohmann/json.hpp>
#include <optional>

#include "suites/wire/answers/answer.h"

namespace parity::wire {

// Of a body or of a stream's event; nothing where it tells of no error.
std::optional<AnswerError> AnswerErrorOf(const nlohmann::json& value);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_ANSWERS_ERROR_OF_H_
