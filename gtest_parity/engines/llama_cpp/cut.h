// Where an engine shows what it computes: nodes of llama.cpp's graph, and what they are called
// here.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_CUT_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_CUT_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace parity::llama_cpp {

// Names are no identity: one graph has several nodes called `Qcur-0`.
struct NodeName {
  std::string name;
  std::string op;                // as ggml names it; empty: any
  std::uint64_t occurrence = 0;  // among the nodes of that name, and of that op where one is given
};

// `{layer}` in any text stands for each layer in turn.
struct CutTemplate {
  std::string label;            // of the op that ends here
  std::string op;               // what kind of op it is
  std::string buffer;           // what the value is called
  std::vector<NodeName> nodes;  // alternatives: versions of llama.cpp name nodes otherwise
};

// Residual stream and logits, which every version computes at the same places of a model.
std::vector<CutTemplate> DefaultCuts();

// Of the configuration's `cuts`. Throws EngineError (PARITY_INVALID) that says what to mend.
std::vector<CutTemplate> ParseCuts(const nlohmann::json& cuts);

// One cut for each layer where there is a `{layer}`, in the order of the templates.
std::vector<CutTemplate> ExpandLayers(const std::vector<CutTemplate>& templates,
                                      std::uint64_t layers);

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_CUT_H_
