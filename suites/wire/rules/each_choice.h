// The choices of a chat or completions answer, one by one, streamed or not.
#ifndef GTEST_PARITY_SUITES_WIRE_RULES_EACH_CHOICE_H_
#define GTEST_PARITY_SUITES_WIRE_RULES_EACH_CHOICE_H_

#include <functional>
#include <string>

#include "suites/wire/rules/view.h"

namespace parity::wire {

// `visit(where, chunk or body, choice)` for each, in the order sent.
using VisitChoice = std::function<void(const std::string& where, const nlohmann::json& whole,
                                       const nlohmann::json& choice)>;
void EachChoice(const AnswerView& answer, const VisitChoice& visit);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_RULES_EACH_CHOICE_H_
