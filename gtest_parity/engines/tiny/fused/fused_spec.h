// What `fused` is, wherever it runs: projections with what follows them, and streaming attention.
#ifndef GTEST_PARITY_ENGINES_TINY_FUSED_FUSED_SPEC_H_
#define GTEST_PARITY_ENGINES_TINY_FUSED_FUSED_SPEC_H_

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny {

// What does each kind of op. Those with a name of the textbook have the textbook's operands
// (textbook.h). T rows, D hidden, H heads and F columns of this rank, E head_dim.
struct FusedOps {
  OpFunction rope_table, rope_rows, embed, rms_norm, linear, attention, all_reduce, add, argmax;
  // reads x [T, D], q.weight, k.weight, v.weight, cos, sin [T, E / 2], positions, row_seq [T],
  // block_table; writes q [T, H E], rotated; updates the caches at each row's place.
  OpFunction qkv_rope_append;
  // reads x [T, D], gate.weight, up.weight; writes silu(gate) * up [T, F].
  OpFunction gate_up_silu;
};

EngineSpec FusedSpec(const ModelShape& model, parity_dtype activation, const FusedOps& ops);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_FUSED_FUSED_SPEC_H_
