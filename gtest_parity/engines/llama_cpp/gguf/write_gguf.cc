#include "gtest_parity/engines/llama_cpp/gguf/gguf_file.h"

namespace parity::gguf {
namespace {

void Pad(std::string* out) {
  out->resize((out->size() + kAlignment - 1) / kAlignment * kAlignment, '\0');
}

void PutValue(const Value& value, std::string* out) {
  PutU32(static_cast<std::uint32_t>(value.type), out);
  if (value.type == ValueType::kArray) {
    PutU32(static_cast<std::uint32_t>(value.element), out);
    PutU64(value.count, out);
  }
  *out += value.bytes;
}

// llama.cpp wants each tensor's data at the aligned end of the one before.
void PutTensors(const std::vector<NewTensor>& tensors, std::string* out) {
  std::uint64_t offset = 0;
  for (const NewTensor& tensor : tensors) {
    PutText(tensor.name, out);
    PutU32(static_cast<std::uint32_t>(tensor.shape.size()), out);
    for (const std::uint64_t extent : tensor.shape) PutU64(extent, out);
    PutU32(tensor.type, out);
    PutU64(offset, out);
    offset += (tensor.data.size() + kAlignment - 1) / kAlignment * kAlignment;
  }
}

}  // namespace

std::string WriteGguf(const Metadata& metadata, const std::vector<NewTensor>& tensors) {
  std::string out(kMagic);
  PutU32(kVersion, &out);
  PutU64(tensors.size(), &out);
  PutU64(metadata.size(), &out);
  for (const auto& [key, value] : metadata) {
    PutText(key, &out);
    PutValue(value, &out);
  }
  PutTensors(tensors, &out);
  for (const NewTensor& tensor : tensors) {
    Pad(&out);
    out += tensor.data;
  }
  Pad(&out);
  return out;
}

}  // namespace parity::gguf
