// Scripts and results as JSON values, for the socket (msgpack) and for reading by eye.
#ifndef GTEST_PARITY_SIDE_WIRE_H_
#define GTEST_PARITY_SIDE_WIRE_H_

#include <nlohmann/json.hpp>
#include <vector>

#include "gtest_parity/side/script.h"
#include "gtest_parity/side/watched_tensor.h"

namespace parity {

nlohmann::json ToWire(const std::vector<Instruction>& script);
nlohmann::json ToWire(const Results& results);
nlohmann::json ToWire(const std::vector<WatchedTensor>& watched);

// Throw nlohmann::json::exception or std::invalid_argument for what is not such a value.
std::vector<Instruction> ScriptFromWire(const nlohmann::json& wire);
Results ResultsFromWire(const nlohmann::json& wire);
std::vector<WatchedTensor> WatchedFromWire(const nlohmann::json& wire);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_WIRE_H_
