// From a graph that was seen and the cuts that are wanted to the engine description.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_DESCRIPTION_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_DESCRIPTION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest_parity/engines/llama_cpp/cut.h"
#include "gtest_parity/engines/llama_cpp/seen_graph.h"

namespace parity::llama_cpp {

// An op of the description: it ends where its node has been computed.
struct Cut {
  std::string label, op, buffer;
  NodeName node;
  std::string dtype;                     // as descriptions name it
  std::vector<std::uint64_t> row_shape;  // of the buffer, without its axis of rows
  std::vector<std::string> reads;        // buffers, but for its own
  bool updates = false;                  // it is computed from what its own buffer held

  std::uint64_t RowBytes() const;
};

struct EngineLimits {
  std::uint64_t rows = 0, sequences = 0, context = 0, vocabulary = 0;
};

// What holds the logits; a cut on it is demanded.
inline constexpr char kLogits[] = "logits";

// The cuts in the order of the graph, with what each reads by following the graph back to the cuts
// before it. `rows` were computed. Throws EngineError (PARITY_INVALID) where a node is not there,
// is not a row for each token, or where two cuts keep in one buffer what a third needs of both.
std::vector<Cut> FindCuts(const SeenGraph& graph, const std::vector<CutTemplate>& wanted,
                          std::uint64_t rows);

// JSON, for `describe`.
std::string DescriptionText(const std::vector<Cut>& cuts, const EngineLimits& limits);

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_DESCRIPTION_H_
