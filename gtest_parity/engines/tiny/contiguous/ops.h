// The ops of `contiguous`. Sums are taken in the order of the textbook's reference, so that results
// are the same bit for bit; everything else is laid out otherwise. T rows, D hidden, H heads and G
// KV heads of this rank, E head_dim, S sequence slots, L tokens of a slot.
#ifndef GTEST_PARITY_ENGINES_TINY_CONTIGUOUS_OPS_H_
#define GTEST_PARITY_ENGINES_TINY_CONTIGUOUS_OPS_H_

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny::contiguous {

parity_status RopeTable(const OpArgs& args);
parity_status RopeRows(const OpArgs& args);
parity_status Embed(const OpArgs& args);
parity_status RmsNorm(const OpArgs& args);
parity_status AllReduce(const OpArgs& args);
parity_status Add(const OpArgs& args);
parity_status SiluMul(const OpArgs& args);
parity_status Argmax(const OpArgs& args);

// reads x [T, D] and a weight [O, D] (qkv.weight has q's rows, then k's, then v's); writes x
// weight^T, [T, O] or [T, H + 2 G, E].
parity_status Project(const OpArgs& args);
// reads attn [H, T, E], o.weight [D, H E]; writes [T, D].
parity_status ProjectHeads(const OpArgs& args);
// reads cos, sin [T, E / 2]; updates qkv [T, H + 2 G, E]: q's and k's heads are turned.
parity_status Rope(const OpArgs& args);
// reads qkv twice, as k and as v, positions, row_slot [T]; updates the caches [S, G, L, E].
parity_status Store(const OpArgs& args);
// reads qkv, both caches, positions, row_slot; writes attn [H, T, E].
parity_status Attention(const OpArgs& args);

}  // namespace parity::tiny::contiguous

#endif  // GTEST_PARITY_ENGINES_TINY_CONTIGUOUS_OPS_H_
