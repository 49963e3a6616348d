// The ported engine's kernels: the same steps as the reference's, with the same operands and the
// same order of summation. Where a sum's order matters it is: 16 interleaved partial sums, folded
// in halves (dot products); first to last (softmax, and values weighted by it).
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_OPS_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_OPS_H_

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny::ported {

// elementwise.cc
parity_status EmbedKernel(const OpArgs& args);     // tokens, table -> rows of the table
parity_status NormKernel(const OpArgs& args);      // h, weight -> h / rms(h) * weight
parity_status ReduceKernel(const OpArgs& args);    // partial sums -> their sum over ranks, in place
parity_status ResidualKernel(const OpArgs& args);  // partial -> added to h
parity_status SwigluKernel(const OpArgs& args);    // gate, up -> silu(gate) * up
parity_status GreedyKernel(
    const OpArgs& args);  // logits, last rows -> best token, lowest of equals
// matmul.cc
parity_status MatmulKernel(const OpArgs& args);  // x [T, I], weight [O, I] -> [T, O]
// rope.cc
parity_status AnglesKernel(const OpArgs& args);  // -> cos, sin [context, head_dim / 2]
parity_status GatherKernel(const OpArgs& args);  // positions, cos, sin -> each row's
parity_status RotateKernel(const OpArgs& args);  // cos, sin of rows -> q and k turned in place
// attention.cc
parity_status ScatterKernel(const OpArgs& args);  // k, v and their places -> into the caches
parity_status AttendKernel(const OpArgs& args);   // q, caches and places -> attention output

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_OPS_H_
