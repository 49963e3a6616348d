// The ops of `fused`. Those that it shares in name with the textbook have the textbook's operands
// (textbook.h), but other sums. T rows, H heads and G KV heads of this rank, E head_dim.
#ifndef GTEST_PARITY_ENGINES_TINY_FUSED_OPS_H_
#define GTEST_PARITY_ENGINES_TINY_FUSED_OPS_H_

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny::fused {

parity_status RopeTable(const OpArgs& args);
parity_status RopeRows(const OpArgs& args);
parity_status Embed(const OpArgs& args);
parity_status RmsNorm(const OpArgs& args);
parity_status Linear(const OpArgs& args);
parity_status Attention(const OpArgs& args);
parity_status AllReduce(const OpArgs& args);
parity_status Add(const OpArgs& args);
parity_status Argmax(const OpArgs& args);

// reads x [T, D], q.weight, k.weight, v.weight, cos, sin [T, E / 2], positions, row_seq [T],
// block_table; writes q [T, H E], rotated; updates the caches at each row's place.
parity_status QkvRopeAppend(const OpArgs& args);
// reads x [T, D], gate.weight, up.weight; writes silu(gate) * up [T, F].
parity_status GateUpSilu(const OpArgs& args);

}  // namespace parity::tiny::fused

#endif  // GTEST_PARITY_ENGINES_TINY_FUSED_OPS_H_
