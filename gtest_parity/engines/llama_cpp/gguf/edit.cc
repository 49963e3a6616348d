#include "gtest_parity/engines/llama_cpp/gguf/edit.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include "gtest_parity/engines/llama_cpp/gguf/gguf_file.h"
#include "gtest_parity/engines/llama_cpp/gguf/numbers.h"
#include "gtest_parity/engines/llama_cpp/gguf/other_weights.h"
#include "gtest_parity/engines/llama_cpp/gguf/refuse.h"
#include "gtest_parity/manifest/diagnostics.h"

namespace parity::gguf {
namespace {

// What is left of `text`'s last "=" and the whole number right of it.
template <typename T>
std::string SplitNumber(const std::string& text, const char* option, const char* expected,
                        T* number) {
  const std::size_t sign = text.rfind('=');
  if (sign != std::string::npos && sign > 0) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + sign + 1, end, *number);
    if (error == std::errc() && stop == end) return text.substr(0, sign);
  }
  Refuse(option, "the argument", Quoted(text), expected);
}

const Tensor& TensorOf(const std::string& file, const Layout& layout, const std::string& name) {
  if (const Tensor* tensor = FindTensor(layout, name)) return *tensor;
  std::vector<std::string> names;
  for (const Tensor& tensor : layout.tensors) names.push_back(tensor.name);
  Refuse(file, "a tensor", Quoted(name), ExpectedName(name, names));
}

void CheckComputed(const std::string& file, const Tensor& tensor) {
  if (IsComputed(tensor.type->number)) return;
  Refuse(file, "the type of " + tensor.name, std::string(tensor.type->name),
         "f32, f16, bf16 or q8_0, which can be edited");
}

// Puts `data` where the tensor's is.
void Replace(const std::string& file, const Tensor& tensor, std::string_view data,
             std::string* bytes) {
  if (std::string_view(*bytes).substr(tensor.offset, tensor.bytes) == data) {
    Refuse(file, "the edit of " + tensor.name, "the values that were there", "others");
  }
  bytes->replace(tensor.offset, tensor.bytes, data);
}

std::vector<float> Scaled(const std::string& file, const Tensor& tensor, std::vector<float> values,
                          float factor, std::uint32_t type) {
  for (float& value : values) value *= factor;
  if (!Holds(values, type)) {
    Refuse(file, "the edit of " + tensor.name, "a value beyond " + std::string(tensor.type->name),
           "a smaller factor");
  }
  return values;
}

// A block's values are multiples of its scale.
std::string ScaledBlocks(const std::string& file, const Tensor& tensor, std::string data,
                         float factor) {
  for (std::size_t at = 0; at < data.size(); at += kQ8_0BlockBytes) {
    const std::string_view scale = std::string_view(data).substr(at, 2);
    data.replace(at, 2, Encode(Scaled(file, tensor, Decode(scale, kF16), factor, kF16), kF16));
  }
  return data;
}

void Apply(const std::string& file, const Layout& layout, const Scale& scale, std::string* bytes) {
  const Tensor& tensor = TensorOf(file, layout, scale.tensor);
  CheckComputed(file, tensor);
  const std::uint32_t type = tensor.type->number;
  const std::string data = bytes->substr(tensor.offset, tensor.bytes);
  Replace(file, tensor,
          type == kQ8_0
              ? ScaledBlocks(file, tensor, data, scale.factor)
              : Encode(Scaled(file, tensor, Decode(data, type), scale.factor, type), type),
          bytes);
}

// Rows are whole bytes of every type.
void Apply(const std::string& file, const Layout& layout, const ShiftRow& shift,
           std::string* bytes) {
  const Tensor& tensor = TensorOf(file, layout, shift.tensor);
  if (shift.row >= tensor.Rows() || shift.row + 1 == tensor.Rows()) {
    Refuse(file, "the row of " + tensor.name, std::to_string(shift.row),
           "one that has another after it, of " + std::to_string(tensor.Rows()) + " rows");
  }
  std::string data = bytes->substr(tensor.offset, tensor.bytes);
  const std::uint64_t row = tensor.RowBytes();
  data.replace(shift.row * row, row, data.substr((shift.row + 1) * row, row));
  Replace(file, tensor, data, bytes);
}

void ApplyOtherWeights(const std::string& file, const Layout& layout, std::uint64_t seed,
                       std::string* bytes) {
  bool any = false;
  for (const Tensor& tensor : layout.tensors) {
    if (tensor.shape.size() < 2) continue;
    CheckComputed(file, tensor);
    const std::string data = bytes->substr(tensor.offset, tensor.bytes);
    Replace(file, tensor, OtherWeights(tensor, data, seed), bytes);
    any = true;
  }
  if (!any) Refuse(file, "other weights", "no matrix", "a tensor of two dimensions or more");
}

}  // namespace

Scale ParseScale(const std::string& text) {
  constexpr char kExpected[] = "NAME=FACTOR, a finite number, such as token_embd.weight=1.02";
  Scale scale;
  scale.tensor = SplitNumber(text, "--scale", kExpected, &scale.factor);
  if (!std::isfinite(scale.factor)) Refuse("--scale", "the argument", Quoted(text), kExpected);
  return scale;
}

ShiftRow ParseShiftRow(const std::string& text) {
  ShiftRow shift;
  shift.tensor = SplitNumber(text, "--shift-row",
                             "NAME=ROW, counted from 0, such as token_embd.weight=3", &shift.row);
  return shift;
}

std::string Edit(const std::string& name, std::string bytes, const Edits& edits) {
  const Layout layout = ReadLayout(name, bytes);
  for (const Scale& scale : edits.scales) Apply(name, layout, scale, &bytes);
  for (const ShiftRow& shift : edits.shifts) Apply(name, layout, shift, &bytes);
  if (edits.other_weights_seed) {
    ApplyOtherWeights(name, layout, *edits.other_weights_seed, &bytes);
  }
  return bytes;
}

}  // namespace parity::gguf
