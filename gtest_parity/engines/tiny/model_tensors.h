// The tensors that every tiny engine has, under the same names, so that spans close.
#ifndef GTEST_PARITY_ENGINES_TINY_MODEL_TENSORS_H_
#define GTEST_PARITY_ENGINES_TINY_MODEL_TENSORS_H_

#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny {

// "layer0.k" of (0, "k").
std::string InLayer(std::uint64_t layer, const std::string& name);

// What is split over ranks: heads and feed-forward columns, or whole experts and nothing else.
enum class Parallel { kTensor, kExperts };

// The spec that all tiny engines begin with, without programs:
// * inputs, which `stage` writes: tokens, positions, row_seq, block_table, last_row;
// * the model file's tensors, split over the ranks: q, k, v, gate, up by output, o, down by input
//   (with experts gate, up and down alone);
// * of every step: rope tables and their rows, h, x, q, attn, act, partial, logits, next_token;
// * states layerN.k and layerN.v, [pages, tokens, KV heads, head_dim], keys rotated.
// `activation` is the dtype of what passes from op to op and of the states. Partial sums, rope and
// logits are f32 in every mode: partial sums are rounded once, when they are added to h.
EngineSpec CommonSpec(const char* engine, const ModelShape& model, parity_dtype activation,
                      Parallel parallel = Parallel::kTensor);

// A cache as [kv_tokens, KV heads of this rank, head_dim], under its own name.
ViewSpec KvViewOf(const std::string& name, const ModelShape& model, parity_dtype activation,
                  CacheRow row);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_MODEL_TENSORS_H_
