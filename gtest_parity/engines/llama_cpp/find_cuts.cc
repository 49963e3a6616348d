#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "gtest_parity/engines/llama_cpp/description.h"
#include "gtest_parity/engines/llama_cpp/error.h"
#include "gtest_parity/engines/llama_cpp/nearest.h"

namespace parity::llama_cpp {
namespace {

struct Found {
  std::size_t node = 0;
  Cut cut;
};

std::optional<std::size_t> FindNode(const SeenGraph& graph, const NodeName& wanted) {
  std::uint64_t occurrence = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (graph[i].name != wanted.name) continue;
    if (!wanted.op.empty() && graph[i].op != wanted.op) continue;
    if (occurrence++ == wanted.occurrence) return i;
  }
  return std::nullopt;
}

[[noreturn]] void ThrowNotThere(const SeenGraph& graph, const CutTemplate& wanted) {
  std::vector<std::string> names, known;
  for (const NodeName& node : wanted.nodes) names.push_back(node.name);
  for (const SeenNode& node : graph) {
    if (std::find(known.begin(), known.end(), node.name) == known.end()) known.push_back(node.name);
  }
  throw Invalid("config.cuts: the graph has no node for \"" + wanted.label + "\": expected " +
                Joined(names) + "; nearest are " + Joined(Nearest(names.front(), known, 5)));
}

Cut MakeCut(const CutTemplate& wanted, const NodeName& name, const SeenNode& node,
            std::uint64_t rows) {
  const std::string where = "config.cuts: node \"" + node.name + "\" of \"" + wanted.label + "\"";
  if (node.dtype != "f32" && node.dtype != "f16" && node.dtype != "bf16" && node.dtype != "i32") {
    throw Invalid(where + " is " + node.dtype + ", expected f32, f16, bf16 or i32");
  }
  if (!node.contiguous) throw Invalid(where + " is not contiguous, expected a node that is");
  Cut cut{wanted.label, wanted.op, wanted.buffer, name, node.dtype, node.shape, {}, false};
  if (rows == 1) return cut;  // the axis is one of those that the graph does not tell from none
  if (node.shape.empty() || node.shape.front() != rows) {
    throw Invalid(where + " has " + std::to_string(node.shape.empty() ? 1 : node.shape.front()) +
                  " rows on its outermost axis, expected one for each of " + std::to_string(rows) +
                  " tokens");
  }
  cut.row_shape.erase(cut.row_shape.begin());
  if (cut.row_shape.empty()) cut.row_shape = {1};
  return cut;
}

std::vector<Found> InGraphOrder(const SeenGraph& graph, const std::vector<CutTemplate>& wanted,
                                std::uint64_t rows) {
  std::vector<Found> found;
  for (const CutTemplate& cut : wanted) {
    std::optional<std::size_t> node;
    for (const NodeName& name : cut.nodes) {
      node = FindNode(graph, name);
      if (!node) continue;
      found.push_back({*node, MakeCut(cut, name, graph[*node], rows)});
      break;
    }
    if (!node) ThrowNotThere(graph, cut);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.node < b.node; });
  for (std::size_t i = 1; i < found.size(); ++i) {
    if (found[i].node != found[i - 1].node) continue;
    throw Invalid("config.cuts: \"" + found[i - 1].cut.label + "\" and \"" + found[i].cut.label +
                  "\" are the same node");
  }
  return found;
}

// The input of the step that a leaf of the graph was made from; empty: a weight, a state.
std::string InputOf(const std::string& leaf) {
  const auto has = [&](const char* part) { return leaf.find(part) != std::string::npos; };
  if (has("inp_tokens")) return "tokens";
  if (has("inp_pos")) return "positions";
  return has("mask") || has("k_idxs") ? "row_slot" : "";
}

struct Sources {
  std::set<std::size_t> cuts;
  std::set<std::string> inputs;
};

// Back from a cut to the cuts that it is computed from.
Sources SourcesOf(const SeenGraph& graph, const std::map<std::size_t, std::size_t>& cut_of_node,
                  std::size_t node) {
  Sources sources;
  std::set<std::size_t> visited;
  std::vector<std::size_t> open = {node};
  while (!open.empty()) {
    const SeenNode& at = graph[open.back()];
    open.pop_back();
    for (const std::string& leaf : at.leaves) {
      if (const std::string input = InputOf(leaf); !input.empty()) sources.inputs.insert(input);
    }
    for (const std::size_t next : at.nodes) {
      const auto cut = cut_of_node.find(next);
      if (cut != cut_of_node.end()) {
        sources.cuts.insert(cut->second);
      } else if (visited.insert(next).second) {
        open.push_back(next);
      }
    }
  }
  return sources;
}

// Buffers by what they hold when a cut is reached.
using Holders = std::map<std::string, std::size_t>;

void SetSources(const std::vector<Found>& found, const Holders& holders, const Sources& sources,
                Cut* cut) {
  std::set<std::string> reads = sources.inputs;
  for (const std::size_t source : sources.cuts) {
    const Cut& from = found[source].cut;
    const std::size_t holder = holders.at(from.buffer);
    if (holder != source) {
      throw Invalid("config.cuts: \"" + cut->label + "\" is computed from what \"" + from.label +
                    "\" left in buffer \"" + from.buffer + "\", where \"" +
                    found[holder].cut.label + "\" has written since: expected a buffer of its own");
    }
    if (from.buffer == cut->buffer) {
      cut->updates = true;
    } else {
      reads.insert(from.buffer);
    }
  }
  cut->reads.assign(reads.begin(), reads.end());
}

void CheckBuffers(const std::vector<Found>& found) {
  std::map<std::string, const Cut*> first;
  for (const Found& each : found) {
    const Cut& cut = each.cut;
    const Cut& before = *first.emplace(cut.buffer, &cut).first->second;
    if (before.dtype == cut.dtype && before.row_shape == cut.row_shape) continue;
    throw Invalid("config.cuts: buffer \"" + cut.buffer + "\" is of another type or shape at \"" +
                  cut.label + "\" than at \"" + before.label + "\": expected a buffer of its own");
  }
  for (const char* input : {"tokens", "positions", "row_slot"}) {
    if (!first.contains(input)) continue;
    throw Invalid("config.cuts: buffer \"" + std::string(input) + "\" is an input of the step");
  }
  if (!first.contains(kLogits)) {
    throw Invalid(
        "config.cuts: none writes the buffer \"logits\", expected one of the model's "
        "last node (result_output)");
  }
}

}  // namespace

std::vector<Cut> FindCuts(const SeenGraph& graph, const std::vector<CutTemplate>& wanted,
                          std::uint64_t rows) {
  std::vector<Found> found = InGraphOrder(graph, wanted, rows);
  CheckBuffers(found);
  std::map<std::size_t, std::size_t> cut_of_node;
  for (std::size_t i = 0; i < found.size(); ++i) cut_of_node[found[i].node] = i;
  Holders holders;
  std::vector<Cut> cuts;
  for (std::size_t i = 0; i < found.size(); ++i) {
    SetSources(found, holders, SourcesOf(graph, cut_of_node, found[i].node), &found[i].cut);
    holders[found[i].cut.buffer] = i;
    cuts.push_back(found[i].cut);
  }
  return cuts;
}

}  // namespace parity::llama_cpp
