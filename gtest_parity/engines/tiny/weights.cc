#include "gtest_parity/engines/tiny/weights.h"

#include <cstring>
#include <vector>

#include "gtest_parity/engines/tiny/safetensors.h"

namespace parity::tiny {
namespace {

// Copies the block at `rank` along the split axis (if any) of a stored tensor of one or two axes.
void CopyPart(const TensorSpec& spec, const StoredTensor& stored, std::uint32_t rank,
              const Operand& target) {
  const std::uint64_t rows = target.dims.size() == 2 ? target.dims[0] : 1;
  const std::uint64_t columns = target.dims.back();
  const std::uint64_t stored_columns = stored.shape.back();
  const bool split_rows = spec.shape.front().kind == Dim::Kind::kPerRank;
  const bool split_columns = spec.shape.back().kind == Dim::Kind::kPerRank;
  const std::uint64_t first_row = split_rows ? rank * rows : 0;
  const std::uint64_t first_column = split_columns ? rank * columns : 0;
  const std::uint64_t element = BytesOf(spec.dtype);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::uint64_t from = (first_row + row) * stored_columns + first_column;
    std::memcpy(target.As<std::byte>() + row * columns * element, stored.data + from * element,
                columns * element);
  }
}

// A tensor in the host's memory, to be written where the rank has it.
class Loaded {
 public:
  Loaded(const Memory& memory, const std::string& name)
      : memory_(memory),
        name_(name),
        operand_(memory.Get(PARITY_BUFFER, name)),
        bytes_(operand_.Elements() * BytesOf(operand_.dtype)) {
    operand_.data = bytes_.data();
  }
  const Operand& operand() const { return operand_; }
  void Write() const { memory_.Write(name_, bytes_.data(), bytes_.size()); }

 private:
  const Memory& memory_;
  const std::string& name_;
  Operand operand_;
  std::vector<std::byte> bytes_;
};

// Each part's rows of this rank, one part below the other.
void LoadParts(const SafetensorsFile& file, const TensorSpec& spec, std::uint32_t rank,
               const Memory& memory) {
  const Loaded loaded(memory, spec.name);
  const Operand& whole = loaded.operand();
  const std::uint64_t columns = whole.dims.back();
  const std::uint64_t row_bytes = columns * BytesOf(spec.dtype);
  std::uint64_t row = 0;
  for (const WeightPart& part : spec.weight_parts) {
    const std::uint64_t rows = part.rows / memory.extents().ranks;
    TensorSpec part_spec = spec;
    part_spec.shape[0] = PerRank(part.rows);
    const Operand target{whole.As<std::byte>() + row * row_bytes, spec.dtype, {rows, columns}};
    CopyPart(part_spec, file.Get(part.name, "BF16", {part.rows, columns}), rank, target);
    row += rows;
  }
  loaded.Write();
}

}  // namespace

void LoadWeights(const std::string& directory, const EngineSpec& spec, std::uint32_t rank,
                 Memory& memory) {
  const SafetensorsFile file(directory + "/model.safetensors");
  for (const TensorSpec& buffer : spec.buffers) {
    if (!buffer.weight_parts.empty()) LoadParts(file, buffer, rank, memory);
    if (buffer.weight.empty()) continue;
    const std::vector<std::uint64_t> whole = Evaluate(buffer.shape, Extents{});
    const Loaded loaded(memory, buffer.name);
    CopyPart(buffer, file.Get(buffer.weight, "BF16", whole), rank, loaded.operand());
    loaded.Write();
  }
}

}  // namespace parity::tiny
