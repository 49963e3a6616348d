// What each event of a stream is to the machines.
#ifndef GTEST_PARITY_SUITES_WIRE_MACHINES_SYMBOLS_H_
#define GTEST_PARITY_SUITES_WIRE_MACHINES_SYMBOLS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "suites/wire/sse/stream_event.h"

namespace parity::wire {

// To the machine of a whole chat or completions stream: chunk, usage, error, done; empty where the
// data is none of these.
std::string_view ChunkSymbol(const StreamEvent& event);

// To the machine of one choice, in the order in which a client takes them; a chunk may be several.
std::vector<std::string_view> ChoiceSymbols(const nlohmann::json& choice);

// Empty: of no family that the machine knows.
std::string_view MessagesSymbol(const StreamEvent& event);
std::string_view ResponsesSymbol(const StreamEvent& event);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_MACHINES_SYMBOLS_H_
