// What an engine says to being asked to save or to load a slot's state.
#ifndef GTEST_PARITY_SIDE_STATE_ANSWER_H_
#define GTEST_PARITY_SIDE_STATE_ANSWER_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "gtest_parity/engine/error.h"
#include "gtest_parity/engine/rank.h"

namespace parity {

struct StateAnswer {
  bool offered = true;       // false: the engine has no such function
  bool refused = false;      // that is an answer too
  Refusal refusal;           // all empty where the engine does not tell its guards
  std::uint64_t tokens = 0;  // that the slot holds, loaded
};

// Both throw EngineError for what is neither done nor refused.
StateAnswer SaveState(Rank& rank, std::uint32_t slot, const std::string& path);
StateAnswer LoadState(Rank& rank, std::uint32_t slot, const std::string& path);

nlohmann::json ToWire(const StateAnswer& answer);
// Throws nlohmann::json::exception or std::invalid_argument for what is no such value.
StateAnswer StateFromWire(const nlohmann::json& wire);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_STATE_ANSWER_H_
