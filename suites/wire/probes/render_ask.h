// One question in the words of each surface.
#ifndef GTEST_PARITY_SUITES_WIRE_PROBES_RENDER_ASK_H_
#define GTEST_PARITY_SUITES_WIRE_PROBES_RENDER_ASK_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

// Of `ask`: prompt, turns (instead of it), system, max_tokens, temperature, stop, tools,
// tool_choice, usage. A turn is {user: text}, {assistant: text}, {call: {id, name, arguments}} or
// {result: {id, text}}; a tool {name, description, parameters}; tool_choice auto, none, required or
// {name}. Throws std::runtime_error that says what the surface has no words for, or what is no
// such key.
nlohmann::json RenderAsk(Surface surface, const nlohmann::json& ask, const std::string& model,
                         bool streamed);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_PROBES_RENDER_ASK_H_
