#include "gtest_parity/side/tap_table.h"

#include <map>
#include <string>
#include <tuple>

namespace parity {

TapTable::TapTable(const std::vector<Instruction>& script, std::size_t run) {
  std::map<std::tuple<std::uint32_t, Kind, std::string>, std::vector<std::size_t>> by_tap;
  for (std::size_t i = run + 1; i < script.size() && script[i].tap; ++i) {
    by_tap[{*script[i].tap, script[i].tensor.kind, script[i].tensor.name}].push_back(i);
  }
  for (auto& [key, instructions] : by_tap) {
    const auto& [op, kind, name] = key;
    parity_tap tap{};
    tap.struct_size = sizeof(tap);
    tap.kind = kind == Kind::kState ? PARITY_STATE : PARITY_BUFFER;
    tap.op = op;
    tap.name = script[instructions.front()].tensor.name.c_str();
    taps_.push_back(tap);
    instructions_.push_back(std::move(instructions));
  }
}

}  // namespace parity
