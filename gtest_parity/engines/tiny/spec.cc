#include "gtest_parity/engines/tiny/spec.h"

#include "gtest_parity/engines/tiny/error.h"

namespace parity::tiny {

std::uint64_t Dim::Evaluate(const Extents& extents) const {
  switch (kind) {
    case Kind::kFixed:
      return value;
    case Kind::kPerRank:
      return value / extents.ranks;
    case Kind::kRows:
      return extents.rows;
    case Kind::kSequences:
      return extents.sequences;
    case Kind::kKvTokens:
      return extents.kv_tokens;
  }
  return 0;
}

std::uint64_t Operand::Elements() const {
  std::uint64_t elements = 1;
  for (const std::uint64_t extent : dims) elements *= extent;
  return elements;
}

bool EngineSpec::IsResult(const std::string& name) const {
  for (const TensorSpec& buffer : buffers) {
    if (buffer.name != name) continue;
    return buffer.role == "logits" || buffer.role == "output" || buffer.role == "decision";
  }
  return false;
}

const ProgramSpec* EngineSpec::FindProgram(const std::string& name) const {
  for (const ProgramSpec& program : programs) {
    if (program.name == name) return &program;
  }
  return nullptr;
}

const char* NameOf(parity_dtype dtype) {
  switch (dtype) {
    case PARITY_F32:
      return "f32";
    case PARITY_BF16:
      return "bf16";
    case PARITY_I32:
      return "i32";
    default:
      throw Failed("dtype " + std::to_string(dtype) + " is none that the tiny engines store");
  }
}

std::uint64_t BytesOf(parity_dtype dtype) { return dtype == PARITY_BF16 ? 2 : 4; }

std::vector<std::uint64_t> Evaluate(const std::vector<Dim>& shape, const Extents& extents) {
  std::vector<std::uint64_t> sizes;
  sizes.reserve(shape.size());
  for (const Dim& dim : shape) sizes.push_back(dim.Evaluate(extents));
  return sizes;
}

}  // namespace parity::tiny
