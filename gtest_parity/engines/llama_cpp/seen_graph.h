// The graph that one piece of a step was computed by, as far as descriptions need to know it.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_SEEN_GRAPH_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_SEEN_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace parity::llama_cpp {

struct SeenNode {
  std::string name, op, dtype;       // as ggml names them
  std::vector<std::uint64_t> shape;  // outermost axis first, without leading ones
  bool contiguous = true;
  std::vector<std::size_t> nodes;   // what it is computed from: nodes before it,
  std::vector<std::string> leaves;  // and names of what no node computes
};

using SeenGraph = std::vector<SeenNode>;  // in the order in which they are computed

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_SEEN_GRAPH_H_
