// The taps that a script asks for in one run of a program.
#ifndef GTEST_PARITY_SIDE_TAP_TABLE_H_
#define GTEST_PARITY_SIDE_TAP_TABLE_H_

#include <cstddef>
#include <vector>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/side/script.h"

namespace parity {

class TapTable {
 public:
  // Of the instructions that follow the one at `run` and have a tap, up to one that has none: a tap
  // for each op and tensor, in the order of ops. `script` outlives this object.
  TapTable(const std::vector<Instruction>& script, std::size_t run);

  const std::vector<parity_tap>& taps() const { return taps_; }
  // Indices in the script, in its order.
  const std::vector<std::size_t>& InstructionsAt(std::size_t tap) const {
    return instructions_[tap];
  }

 private:
  std::vector<parity_tap> taps_;
  std::vector<std::vector<std::size_t>> instructions_;
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_TAP_TABLE_H_
