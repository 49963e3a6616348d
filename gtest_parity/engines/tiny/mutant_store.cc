// Mutants of what an engine with a fused qkv [T, H + 2 G, E] stores.
#include <cstring>

#include "gtest_parity/engines/tiny/mutant_hooks.h"

namespace parity::tiny {
namespace {

// reads[0] of the op, by row and head; `first` is the first head of what is stored.
struct Projections {
  explicit Projections(MutantCall& call)
      : tensor(call.args.reads[0]),
        kv_heads(call.args.updates[0].dims[1]),
        row_bytes(tensor.dims[2] * BytesOf(tensor.dtype)) {}

  std::byte* At(std::uint64_t row, std::uint64_t head) const {
    return tensor.As<std::byte>() + (row * tensor.dims[1] + head) * row_bytes;
  }
  std::uint64_t FirstKey() const { return tensor.dims[1] - 2 * kv_heads; }
  std::uint64_t FirstValue() const { return tensor.dims[1] - kv_heads; }

  const Operand& tensor;
  std::uint64_t kv_heads, row_bytes;
};

void Save(MutantCall& call) {
  const Operand& tensor = call.args.reads[0];
  const auto* data = tensor.As<std::byte>();
  call.saved.assign(data, data + tensor.Elements() * BytesOf(tensor.dtype));
}

}  // namespace

void ShiftKeyHeads(MutantCall& call) {
  Save(call);
  const Projections of(call);
  for (std::uint64_t row = 0; row < of.tensor.dims[0]; ++row) {
    std::memmove(of.At(row, of.FirstKey()), of.At(row, of.FirstKey() - 1),
                 of.kv_heads * of.row_bytes);
  }
}

void ShiftValueTokens(MutantCall& call) {
  Save(call);
  const Projections of(call);
  const std::uint64_t rows = of.tensor.dims[0];
  const std::uint64_t row_step = of.tensor.dims[1] * of.row_bytes;
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::uint64_t offset = (row + 1) % rows * row_step + of.FirstValue() * of.row_bytes;
    std::memcpy(of.At(row, of.FirstValue()), call.saved.data() + offset,
                of.kv_heads * of.row_bytes);
  }
}

void RestoreProjections(MutantCall& call) {
  std::memcpy(call.args.reads[0].data, call.saved.data(), call.saved.size());
}

}  // namespace parity::tiny
