// The order of steps that an engine insists on when it keeps its own place in each sequence.
#ifndef GTEST_PARITY_ENGINES_TINY_STEP_ORDER_H_
#define GTEST_PARITY_ENGINES_TINY_STEP_ORDER_H_

#include <cstdint>
#include <map>

#include "gtest_parity/engine/engine.h"

namespace parity::tiny {

class StepOrder {
 public:
  // Throws RefusedError, and changes nothing, unless the step before has run to its end and every
  // sequence goes on where its slot stands, or begins anew in a slot that holds nothing.
  void Stage(const parity_step& step);
  // The staged step has run to its end.
  void Finish() { finished_ = true; }

 private:
  std::map<std::uint32_t, std::uint64_t> lengths_;  // tokens by slot, the staged step's included
  bool finished_ = true;
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_STEP_ORDER_H_
