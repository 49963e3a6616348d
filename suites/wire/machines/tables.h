// The tables of the streams' machines.
#ifndef GTEST_PARITY_SUITES_WIRE_MACHINES_TABLES_H_
#define GTEST_PARITY_SUITES_WIRE_MACHINES_TABLES_H_

#include "suites/wire/machines/automaton.h"

namespace parity::wire {

extern const Machine kChatStream;        // as a whole
extern const Machine kCompletionStream;  // as a whole
extern const Machine kChatChoice;        // one choice of a chat stream
extern const Machine kCompletionChoice;  // one choice of a completions stream
extern const Machine kMessagesStream;
extern const Machine kResponsesStream;

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_MACHINES_TABLES_H_
