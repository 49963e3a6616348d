#include "gtest_parity/engines/llama_cpp/observer.h"

#include <cstring>
#include <string_view>
#include <utility>

#include "ggml-backend.h"
#include "ggml.h"
#include "gtest_parity/engines/llama_cpp/error.h"

namespace parity::llama_cpp {
namespace {

template <typename T>
void ReadOnce(const ggml_tensor& from, ggml_type type, std::vector<T>* to) {
  if (!to->empty() || from.type != type || !ggml_is_contiguous(&from)) return;
  to->resize(static_cast<std::size_t>(ggml_nelements(&from)));
  ggml_backend_tensor_get(&from, to->data(), 0, to->size() * sizeof(T));
}

}  // namespace

bool Observer::Wants(ggml_tensor& node) {
  ++nodes_;
  ReadInputs(node);
  reached_ = matcher_.Match(node.name, ggml_op_name(node.op));
  if (!reached_) return false;
  const bool wanted = visitor_ != nullptr && visitor_->Wants(*reached_);
  if (matcher_.between_pieces()) {
    finished_.push_back(std::exchange(inputs_, {}));
    ++piece_;
  }
  return wanted;
}

void Observer::Computed(ggml_tensor& node) {
  if (!reached_) throw Failed("ggml shows a node that nobody has asked for");
  // The last cut has closed its piece already.
  visitor_->Visit(matcher_.between_pieces() ? piece_ - 1 : piece_, *reached_, node);
}

// Inputs have no nodes of their own: they are seen where they are read.
void Observer::ReadInputs(const ggml_tensor& node) {
  for (const ggml_tensor* source : node.src) {
    if (source == nullptr) continue;
    const std::string_view name = source->name;
    const auto is = [&](const char* part) { return name.find(part) != std::string_view::npos; };
    if (is("inp_tokens")) ReadOnce(*source, GGML_TYPE_I32, &inputs_.tokens);
    if (is("inp_pos")) ReadOnce(*source, GGML_TYPE_I32, &inputs_.positions);
    if (is("k_idxs")) ReadOnce(*source, GGML_TYPE_I64, &inputs_.cells);
  }
}

std::vector<PieceInputs> Observer::TakePieces() {
  const bool whole = matcher_.between_pieces();
  matcher_.Reset();
  inputs_ = {};
  if (!whole || finished_.empty()) {
    throw Failed("llama_decode computed a graph that ended before its last cut");
  }
  return std::exchange(finished_, {});
}

}  // namespace parity::llama_cpp
