// The op table of a mixture of experts that also drafts its own tokens, whoever implements the ops.
#ifndef GTEST_PARITY_ENGINES_TINY_ROUTED_H_
#define GTEST_PARITY_ENGINES_TINY_ROUTED_H_

#include "gtest_parity/engines/tiny/spec.h"
#include "gtest_parity/engines/tiny/textbook.h"

namespace parity::tiny {

// The model's feed-forward cut by columns into experts; two of them work on each row.
inline constexpr std::uint64_t kExperts = 4;
inline constexpr std::uint64_t kChosenExperts = 2;
// Chosen experts' weights add up to this, so that four equal ones would be the whole feed-forward.
inline constexpr float kExpertScale = 4.0f;
// Tokens that `speculate` drafts for each sequence.
inline constexpr std::uint64_t kDrafts = 3;

// What does each kind of op besides the textbook's. T rows, S sequences, V vocabulary, D hidden, F
// columns of the experts that this rank holds, K = kDrafts.
struct RoutedOps {
  // writes weight [kExperts, D]: RouterWeight of the op's layer.
  OpFunction router_weight;
  // reads scores [T, kExperts]; writes ids [T, kChosenExperts]: the best experts, best first, the
  // lowest of equals.
  OpFunction top_experts;
  // reads scores, ids; writes weights [T, kChosenExperts]: softmax over the chosen scores, times
  // kExpertScale (Jiang et al. 2024, Mixtral). NULL: top_experts writes them after the ids.
  OpFunction expert_weights;
  // reads x [T, D], ids, gate, up weights [F, D]; writes act [T, F]: silu(gate) * up in the columns
  // of chosen experts, 0 in the others.
  OpFunction expert_act;
  // reads act, ids, weights, down weight [D, F]; writes partial [T, D]: the sum over this rank's
  // chosen experts of weight * (act down^T), lowest expert first.
  OpFunction expert_down;
  // reads tokens, positions, row_seq [T], block_table; updates history [pages, tokens].
  OpFunction append_tokens;
  // reads tokens [T], positions, last_row [S], block_table, history, the drafts before this one;
  // writes draft [S], scores [S, V]. The context is the history, the sequence's first token of the
  // step and those drafts. scores[v] = sum over earlier places of v of 0, 1, 16 or 256 where the
  // tokens before it are the context's last 0, 1, 2 or 3; the draft is the best, the lowest of
  // equals (prompt lookup, Saxena 2023).
  OpFunction draft;
  // reads tokens [T], last_row, drafts [S] x K; writes run_tokens [T]: each sequence's first token,
  // then its drafts.
  OpFunction place_drafts;
  // reads logits [T, V]; writes choice [T]: each row's best token, the lowest of equals.
  OpFunction choose;
  // reads choice [T], last_row; writes next_token [S]: the choice at each sequence's last row.
  OpFunction last_choice;
  // reads run_tokens, choice [T], last_row; writes accepted [S]: how many drafts in a row are what
  // the row before them chose (Leviathan et al. 2023, greedy), next_token [S]: the choice after
  // those.
  OpFunction accept;
};

// Attention is whole on every rank, experts are split over ranks. All ranks hold all rows, so each
// works on the rows of its experts and the sum over ranks brings them together. Programs `prefill`
// and `decode`, and `speculate`, which runs 1 + kDrafts rows for each sequence.
EngineSpec RoutedSpec(const char* engine, const ModelShape& model, parity_dtype activation,
                      const TextbookOps& textbook, const RoutedOps& routed);

// Element `index` of a layer's router weight: drawn from [-1/8, 1/8), exact in bf16.
float RouterWeight(std::uint64_t layer, std::uint64_t index);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_ROUTED_H_
