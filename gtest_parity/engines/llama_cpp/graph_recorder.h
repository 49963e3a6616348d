// Writes down the graph of one decode.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GRAPH_RECORDER_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GRAPH_RECORDER_H_

#include <cstddef>
#include <string>
#include <unordered_map>

#include "gtest_parity/engines/llama_cpp/eval_hook.h"
#include "gtest_parity/engines/llama_cpp/seen_graph.h"

namespace parity::llama_cpp {

class GraphRecorder : public EvalHook {
 public:
  bool Wants(ggml_tensor& node) override;
  void Computed(ggml_tensor&) override {}

  const SeenGraph& graph() const { return graph_; }

 private:
  void AddSource(const ggml_tensor& source, SeenNode* node);

  SeenGraph graph_;
  std::unordered_map<const ggml_tensor*, std::size_t> by_tensor_;
  std::unordered_map<std::string, std::size_t> by_name_;  // the last of that name
};

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GRAPH_RECORDER_H_
