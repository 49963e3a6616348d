#include "gtest_parity/engines/llama_cpp/graph_recorder.h"

#include "ggml.h"

namespace parity::llama_cpp {
namespace {

// Between devices the scheduler puts copies, "DEVICE#name#number", which no node computes.
std::string OriginalName(const std::string& name) {
  const std::size_t first = name.find('#'), last = name.rfind('#');
  if (first == std::string::npos || last == first) return name;
  return name.substr(first + 1, last - first - 1);
}

}  // namespace

bool GraphRecorder::Wants(ggml_tensor& node) {
  SeenNode seen;
  seen.name = node.name;
  seen.op = ggml_op_name(node.op);
  seen.dtype = ggml_type_name(node.type);
  for (int axis = ggml_n_dims(&node); axis-- > 0;) {
    seen.shape.push_back(static_cast<std::uint64_t>(node.ne[axis]));
  }
  seen.contiguous = ggml_is_contiguous(&node);
  for (const ggml_tensor* source : node.src) {
    if (source != nullptr) AddSource(*source, &seen);
  }
  by_tensor_[&node] = by_name_[seen.name] = graph_.size();
  graph_.push_back(std::move(seen));
  return false;
}

void GraphRecorder::AddSource(const ggml_tensor& source, SeenNode* node) {
  if (const auto found = by_tensor_.find(&source); found != by_tensor_.end()) {
    node->nodes.push_back(found->second);
    return;
  }
  const std::string name = OriginalName(source.name);
  if (const auto found = by_name_.find(name); name != source.name && found != by_name_.end()) {
    node->nodes.push_back(found->second);
  } else {
    node->leaves.push_back(name);
  }
}

}  // namespace parity::llama_cpp
