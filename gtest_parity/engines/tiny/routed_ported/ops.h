// The kernels of `routed_ported` besides those of `ported`: the steps of the reference, with the
// same operands and the same order of summation.
#ifndef GTEST_PARITY_ENGINES_TINY_ROUTED_PORTED_OPS_H_
#define GTEST_PARITY_ENGINES_TINY_ROUTED_PORTED_OPS_H_

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny::routed_ported {

// experts.cc
parity_status RouterKernel(const OpArgs& args);  // -> the layer's router weight
parity_status TopTwoKernel(const OpArgs& args);  // scores -> the best two experts
parity_status GatingKernel(const OpArgs& args);  // scores, ids -> their weights
parity_status ActivateKernel(
    const OpArgs& args);                          // x, ids, gate, up -> chosen experts' activations
parity_status CombineKernel(const OpArgs& args);  // activations, ids, weights, down -> partial sums
// tokens.cc
parity_status RememberKernel(const OpArgs& args);  // tokens and their places -> into the history
parity_status LookupKernel(const OpArgs& args);    // context -> the next draft and its scores
parity_status SpreadKernel(const OpArgs& args);    // tokens, drafts -> the rows that are run
parity_status BestKernel(const OpArgs& args);      // logits -> each row's best token
parity_status TakeLastKernel(const OpArgs& args);  // choices -> those of the last rows
parity_status VerifyKernel(const OpArgs& args);    // rows, choices -> accepted, next token

}  // namespace parity::tiny::routed_ported

#endif  // GTEST_PARITY_ENGINES_TINY_ROUTED_PORTED_OPS_H_
