#include "gtest_parity/engines/llama_cpp/gguf/model_weights.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "gtest_parity/engines/llama_cpp/gguf/numbers.h"
#include "gtest_parity/engines/llama_cpp/gguf/read_file.h"
#include "gtest_parity/engines/llama_cpp/gguf/refuse.h"
#include "gtest_parity/engines/llama_cpp/gguf/types.h"
#include "gtest_parity/replay/refused.h"

namespace parity::gguf {
namespace {

std::optional<std::uint32_t> TypeOf(const std::string& dtype) {
  if (dtype == "F32") return kF32;
  if (dtype == "F16") return kF16;
  if (dtype == "BF16") return kBF16;
  return {};
}

std::string TextOf(const std::vector<std::uint64_t>& shape) {
  std::string text = "[";
  for (const std::uint64_t extent : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  }
  return text + "]";
}

}  // namespace

ModelWeights::ModelWeights(const std::string& folder, const std::vector<NamedTensor>& tensors)
    : path_(folder + "/model.safetensors"),
      bytes_(ReadFile(path_, "a model's weights in one file")) {
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(bytes_.data()), bytes_.size());
  try {
    const std::uint64_t length = std::min<std::uint64_t>(bytes.size(), kSafetensorsLengthBytes);
    const std::uint64_t header = SafetensorsHeaderBytes(bytes.first(length), bytes.size());
    data_ = kSafetensorsLengthBytes + header;
    entries_ = ParseSafetensorsHeader(bytes.subspan(kSafetensorsLengthBytes, header),
                                      bytes.size() - data_);
  } catch (const RecordingRefused& refused) {
    throw InvalidInput({{path_, {}, refused.what(), "", ""}});
  }
  for (const NamedTensor& tensor : tensors) Check(tensor);
  CheckNoMore(tensors);
}

std::vector<float> ModelWeights::Values(const NamedTensor& tensor) const {
  const SafetensorsEntry& entry = EntryOf(tensor);
  const std::string_view data(bytes_);
  return Decode(data.substr(data_ + entry.begin, entry.end - entry.begin), *TypeOf(entry.dtype));
}

const SafetensorsEntry& ModelWeights::EntryOf(const NamedTensor& tensor) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(),
                   [&](const SafetensorsEntry& entry) { return entry.name == tensor.source; });
  if (found == entries_.end()) Refuse(path_, tensor.source, "no such tensor", "one");
  return *found;
}

void ModelWeights::Check(const NamedTensor& tensor) const {
  const SafetensorsEntry& entry = EntryOf(tensor);
  if (!TypeOf(entry.dtype)) {
    Refuse(path_, "the dtype of " + tensor.source, entry.dtype, "F32, F16 or BF16");
  }
  if (entry.shape != tensor.shape) {
    Refuse(path_, "the shape of " + tensor.source, TextOf(entry.shape),
           TextOf(tensor.shape) + " by config.json");
  }
}

void ModelWeights::CheckNoMore(const std::vector<NamedTensor>& tensors) const {
  for (const SafetensorsEntry& entry : entries_) {
    const bool known = std::any_of(tensors.begin(), tensors.end(), [&](const NamedTensor& tensor) {
      return tensor.source == entry.name;
    });
    if (!known) {
      Refuse(path_, entry.name, "a tensor that would be left out",
             "only tensors of a Llama without biases");
    }
  }
}

}  // namespace parity::gguf
