// The ops of `routed_reordered` that are neither `fused` nor `routed`: other orders of summation.
#ifndef GTEST_PARITY_ENGINES_TINY_ROUTED_REORDERED_OPS_H_
#define GTEST_PARITY_ENGINES_TINY_ROUTED_REORDERED_OPS_H_

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny::routed_reordered {

// reads scores [T, kExperts]; writes ids, weights [T, kChosenExperts]: as `top_experts` and
// `expert_weights` do, in one op.
parity_status Route(const OpArgs& args);
parity_status ExpertAct(const OpArgs& args);
parity_status ExpertDown(const OpArgs& args);

}  // namespace parity::tiny::routed_reordered

#endif  // GTEST_PARITY_ENGINES_TINY_ROUTED_REORDERED_OPS_H_
