// Why generation ended, in each surface's words.
#ifndef GTEST_PARITY_SUITES_WIRE_ANSWERS_FINISH_H_
#define GTEST_PARITY_SUITES_WIRE_ANSWERS_FINISH_H_

#include <string>

#include "suites/wire/answers/answer.h"

namespace parity::wire {

Finish FinishOfReason(const std::string& finish_reason);    // chat, completions
Finish FinishOfStopReason(const std::string& stop_reason);  // Messages
// Responses; `reason`: of the incomplete details.
Finish FinishOfStatus(const std::string& status, const std::string& reason, bool has_calls);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_ANSWERS_FINISH_H_
