#include "gtest_parity/engines/llama_cpp/cut.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "gtest_parity/engines/llama_cpp/error.h"
#include "gtest_parity/engines/llama_cpp/json_fields.h"

namespace parity::llama_cpp {
namespace {

using nlohmann::json;

constexpr char kLayer[] = "{layer}";

std::string InLayer(std::string text, std::uint64_t layer) {
  for (std::size_t at = text.find(kLayer); at != std::string::npos; at = text.find(kLayer)) {
    text.replace(at, sizeof(kLayer) - 1, std::to_string(layer));
  }
  return text;
}

CutTemplate InLayer(CutTemplate cut, std::uint64_t layer) {
  for (std::string* text : {&cut.label, &cut.op, &cut.buffer}) *text = InLayer(*text, layer);
  for (NodeName& node : cut.nodes) node.name = InLayer(node.name, layer);
  return cut;
}

bool IsPerLayer(const CutTemplate& cut) { return cut.label.find(kLayer) != std::string::npos; }

// "layer{layer}.attention" is an attention.
std::string OpOf(const std::string& label) {
  const std::size_t dot = label.rfind('.');
  return dot == std::string::npos ? label : label.substr(dot + 1);
}

NodeName ParseNode(const json& value, const std::string& where) {
  if (value.is_string()) return {value.get<std::string>(), "", 0};
  CheckObject(value, where, {"name", "op", "occurrence"});
  NodeName node;
  node.name = RequireText(value, "name", where);
  node.op = FindText(value, "op", where).value_or("");
  node.occurrence = FindWhole(value, "occurrence", where).value_or(0);
  return node;
}

CutTemplate ParseCut(const json& value, const std::string& where) {
  CheckObject(value, where, {"label", "op", "buffer", "nodes"});
  CutTemplate cut;
  cut.label = RequireText(value, "label", where);
  cut.op = FindText(value, "op", where).value_or(OpOf(cut.label));
  cut.buffer = RequireText(value, "buffer", where);
  const auto nodes = value.find("nodes");
  if (nodes == value.end() || !nodes->is_array() || nodes->empty()) {
    throw Invalid(where + ".nodes: expected a list of node names, alternatives of one another");
  }
  for (std::size_t i = 0; i < nodes->size(); ++i) {
    cut.nodes.push_back(ParseNode((*nodes)[i], where + ".nodes[" + std::to_string(i) + "]"));
    const bool per_layer = cut.nodes.back().name.find(kLayer) != std::string::npos;
    if (per_layer == IsPerLayer(cut)) continue;
    throw Invalid(where +
                  ": {layer} must stand in its label and in the names of its nodes, or in none");
  }
  return cut;
}

}  // namespace

std::vector<CutTemplate> DefaultCuts() {
  return {
      {"embed", "embed", "h", {{"embd", "GET_ROWS", 0}, {"inp_embd", "GET_ROWS", 0}}},
      {"layer{layer}.attention", "attention", "h", {{"ffn_inp-{layer}", "", 0}}},
      {"layer{layer}.mlp", "mlp", "h", {{"l_out-{layer}", "", 0}}},
      {"final_norm", "final_norm", "x", {{"result_norm", "", 0}}},
      {"head", "head", "logits", {{"result_output", "", 0}}},
  };
}

std::vector<CutTemplate> ParseCuts(const json& cuts) {
  if (!cuts.is_array() || cuts.empty()) {
    throw Invalid("config.cuts is " + cuts.dump() + ", expected a list of cuts");
  }
  std::vector<CutTemplate> templates;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    templates.push_back(ParseCut(cuts[i], "config.cuts[" + std::to_string(i) + "]"));
  }
  return templates;
}

std::vector<CutTemplate> ExpandLayers(const std::vector<CutTemplate>& templates,
                                      std::uint64_t layers) {
  std::vector<CutTemplate> cuts;
  for (const CutTemplate& cut : templates) {
    const std::uint64_t times = IsPerLayer(cut) ? layers : 1;
    for (std::uint64_t layer = 0; layer < times; ++layer) cuts.push_back(InLayer(cut, layer));
  }
  std::set<std::string> labels;
  for (const CutTemplate& cut : cuts) {
    if (labels.insert(cut.label).second) continue;
    throw Invalid("config.cuts: two cuts are labelled \"" + cut.label + "\"");
  }
  return cuts;
}

}  // namespace parity::llama_cpp
