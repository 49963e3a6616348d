// The op table of engines that do one op per step of the textbook, whoever implements the ops.
#ifndef GTEST_PARITY_ENGINES_TINY_TEXTBOOK_H_
#define GTEST_PARITY_ENGINES_TINY_TEXTBOOK_H_

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny {

// What does each kind of op. T rows, S sequences, D hidden, H heads and G KV heads of this rank,
// E head_dim, P = E / 2. Each op rounds once, when it stores.
struct TextbookOps {
  // writes cos, sin [context, P]: of position * theta^(-2i / E), in f32 (Su et al. 2021, RoFormer).
  OpFunction rope_table;
  // reads tokens [T], embed.weight [V, D]; writes h [T, D].
  OpFunction embed;
  // reads positions [T], cos, sin [context, P]; writes those of each row, [T, P].
  OpFunction rope_rows;
  // reads h [T, D], weight [D]; writes h / sqrt(mean(h^2) + eps) * weight (Zhang, Sennrich 2019).
  OpFunction rms_norm;
  // reads x [T, I], weight [O, I]; writes x weight^T [T, O].
  OpFunction linear;
  // reads cos, sin [T, P]; updates q [T, H E], k [T, G E]: pairs (i, i + P) of each head are
  // turned.
  OpFunction rope;
  // reads k, v [T, G E], positions, row_seq [T], block_table [S, pages]; updates the caches
  // [pages, tokens, G, E] at each row's place.
  OpFunction kv_append;
  // reads q [T, H E], both caches, positions, row_seq, block_table; writes softmax(q k^T / sqrt(E))
  // v over positions 0 to the row's own, [T, H E].
  OpFunction attention;
  // updates partial [T, D]: the sum over ranks.
  OpFunction all_reduce;
  // reads partial [T, D]; updates h: h + partial, the latter rounded to h's dtype first.
  OpFunction add;
  // reads gate, up [T, F]; writes gate / (1 + exp(-gate)) * up (Shazeer 2020, SwiGLU).
  OpFunction silu_mul;
  // reads logits [T, V], last_row [S]; writes [S] the best token of each sequence's last row, the
  // lowest of equals.
  OpFunction argmax;
};

// The first half of a layer: from h to h with what attention adds to it.
std::vector<OpSpec> AttentionOps(const TextbookOps& run, std::uint64_t layer);

EngineSpec TextbookSpec(const char* engine, const ModelShape& model, parity_dtype activation,
                        const TextbookOps& ops);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_TEXTBOOK_H_
