// Which token of a step each row of the graph is. llama.cpp may compute a step in pieces (ubatches)
// and put rows of several sequences in another order than the batch had them.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_ROW_ORDER_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_ROW_ORDER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "gtest_parity/engines/llama_cpp/step.h"

namespace parity::llama_cpp {

// What one piece's graph was given, by row. Empty where the graph does not show it.
struct PieceInputs {
  std::vector<std::int32_t> tokens, positions;
  std::vector<std::int64_t> cells;  // of the KV cache that rows are written to
};

// A row of the step for each row of a piece's graph.
using PieceRows = std::vector<std::uint32_t>;

// The rows of the pieces that one decode of some of the step's sequences was computed in.
// `stream_cells` is how many cells of the cache belong to each slot where slots have their own
// streams (which is when rows are reordered), 0 where there is one stream. Throws EngineError where
// rows cannot be told apart, or are not those of the step.
std::vector<PieceRows> OrderRows(const Step& step, std::span<const StepSequence> sequences,
                                 const std::vector<PieceInputs>& pieces,
                                 std::uint64_t stream_cells);

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_ROW_ORDER_H_
