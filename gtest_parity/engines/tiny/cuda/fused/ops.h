// The ops of `fused` on a GPU that are its own (fused/fused_spec.h says what each does); the others
// are `paged`'s.
#ifndef GTEST_PARITY_ENGINES_TINY_CUDA_FUSED_OPS_H_
#define GTEST_PARITY_ENGINES_TINY_CUDA_FUSED_OPS_H_

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny::cuda::fused {

parity_status RmsNorm(const OpArgs& args);
parity_status Attention(const OpArgs& args);
parity_status QkvRopeAppend(const OpArgs& args);
parity_status GateUpSilu(const OpArgs& args);

}  // namespace parity::tiny::cuda::fused

#endif  // GTEST_PARITY_ENGINES_TINY_CUDA_FUSED_OPS_H_
