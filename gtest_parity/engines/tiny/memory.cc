#include "gtest_parity/engines/tiny/memory.h"

#include <utility>

#include "gtest_parity/engines/tiny/error.h"

namespace parity::tiny {

Memory::Memory(const EngineSpec& spec, std::uint64_t ranks, Backend& backend) : backend_(backend) {
  extents_.ranks = ranks;
  for (const TensorSpec& buffer : spec.buffers) Add(buffer, PARITY_BUFFER);
  for (const TensorSpec& state : spec.states) Add(state, PARITY_STATE);
}

void Memory::Add(const TensorSpec& spec, parity_kind kind) {
  Tensor tensor{&spec, kind, nullptr, BytesOf(spec.dtype)};
  for (const Dim& dim : spec.shape) {
    tensor.bytes *= dim.Evaluate({kMaxRows, kMaxSequences, extents_.ranks});
  }
  tensor.data = {backend_.Allocate(tensor.bytes), Free{&backend_}};
  tensors_.emplace(spec.name, std::move(tensor));
}

void Memory::SetStep(std::uint64_t rows, std::uint64_t sequences) {
  extents_.rows = rows;
  extents_.sequences = sequences;
}

Operand Memory::View(const Tensor& tensor) const {
  return {tensor.data.get(), tensor.spec->dtype, Evaluate(tensor.spec->shape, extents_)};
}

Operand Memory::Get(parity_kind kind, const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end() || found->second.kind != kind) {
    throw Invalid("no " + std::string(kind == PARITY_STATE ? "state" : "buffer") + " \"" + name +
                  "\"");
  }
  return View(found->second);
}

Operand Memory::Get(const std::string& name) const {
  // Of a slice, "qkv/q", an op gets the tensor.
  const auto found = tensors_.find(name.substr(0, name.find('/')));
  if (found == tensors_.end()) throw Invalid("no buffer or state \"" + name + "\"");
  return View(found->second);
}

void Memory::Clear() {
  for (auto& [name, tensor] : tensors_) {
    if (tensor.spec->role != "constant") backend_.Zero(tensor.data.get(), tensor.bytes);
  }
}

}  // namespace parity::tiny
