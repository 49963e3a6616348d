// Where a side is looked at while a program runs.
#ifndef GTEST_PARITY_REPLAY_CUT_H_
#define GTEST_PARITY_REPLAY_CUT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/side/script.h"

namespace parity {

// A value that the plan's spans look at, and the op behind which it is there.
struct Cut {
  std::string program;
  std::uint32_t op = 0;
  TensorRef tensor;
  std::string Text(const Description& side) const;  // "q at layer0.rope of prefill"
};

// Every cut of a side, in program order.
std::vector<Cut> CutsOf(const Plan& plan, bool candidate);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_CUT_H_
