// The ops of `routed` besides those of `paged`; tiny/routed.h says what each reads and computes.
#ifndef GTEST_PARITY_ENGINES_TINY_ROUTED_OPS_H_
#define GTEST_PARITY_ENGINES_TINY_ROUTED_OPS_H_

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny::routed {

// router.cc
parity_status InitRouter(const OpArgs& args);
parity_status TopExperts(const OpArgs& args);
parity_status ExpertWeights(const OpArgs& args);
// experts.cc
parity_status ExpertAct(const OpArgs& args);
parity_status ExpertDown(const OpArgs& args);
// speculation.cc
parity_status AppendTokens(const OpArgs& args);
parity_status Draft(const OpArgs& args);
parity_status PlaceDrafts(const OpArgs& args);
parity_status Choose(const OpArgs& args);
parity_status LastChoice(const OpArgs& args);
parity_status Accept(const OpArgs& args);

}  // namespace parity::tiny::routed

#endif  // GTEST_PARITY_ENGINES_TINY_ROUTED_OPS_H_
