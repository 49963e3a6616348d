#include "gtest_parity/engines/llama_cpp/gguf/types.h"

#include <algorithm>
#include <iterator>

namespace parity::gguf {
namespace {

struct NamedValue {
  std::string_view name;
  std::uint64_t bytes;
};
constexpr NamedValue kValues[kValueTypes] = {
    {"u8", 1},   {"i8", 1},     {"u16", 2},   {"i16", 2}, {"u32", 4}, {"i32", 4}, {"f32", 4},
    {"bool", 1}, {"string", 0}, {"array", 0}, {"u64", 8}, {"i64", 8}, {"f64", 8}};

// Numbers that are missing were types once, or never.
constexpr TensorType kTensorTypes[] = {
    {kF32, "f32", 1, 4},
    {kF16, "f16", 1, 2},
    {2, "q4_0", 32, 18},
    {3, "q4_1", 32, 20},
    {6, "q5_0", 32, 22},
    {7, "q5_1", 32, 24},
    {kQ8_0, "q8_0", kQ8_0Block, kQ8_0BlockBytes},
    {10, "q2_k", 256, 84},
    {11, "q3_k", 256, 110},
    {12, "q4_k", 256, 144},
    {13, "q5_k", 256, 176},
    {14, "q6_k", 256, 210},
    {15, "q8_k", 256, 292},
    {16, "iq2_xxs", 256, 66},
    {17, "iq2_xs", 256, 74},
    {18, "iq3_xxs", 256, 98},
    {19, "iq1_s", 256, 50},
    {20, "iq4_nl", 32, 18},
    {21, "iq3_s", 256, 110},
    {22, "iq2_s", 256, 82},
    {23, "iq4_xs", 256, 136},
    {24, "i8", 1, 1},
    {25, "i16", 1, 2},
    {26, "i32", 1, 4},
    {27, "i64", 1, 8},
    {28, "f64", 1, 8},
    {29, "iq1_m", 256, 56},
    {kBF16, "bf16", 1, 2},
    {34, "tq1_0", 256, 54},
    {35, "tq2_0", 256, 66},
    {39, "mxfp4", 32, 17},
};

template <typename Is>
const TensorType* Find(const Is& is) {
  const auto found = std::find_if(std::begin(kTensorTypes), std::end(kTensorTypes), is);
  return found == std::end(kTensorTypes) ? nullptr : found;
}

}  // namespace

std::string_view NameOf(ValueType type) { return kValues[static_cast<std::uint32_t>(type)].name; }

std::uint64_t BytesOf(ValueType type) { return kValues[static_cast<std::uint32_t>(type)].bytes; }

const TensorType* FindTensorType(std::uint32_t number) {
  return Find([&](const TensorType& type) { return type.number == number; });
}

const TensorType* FindTensorType(std::string_view name) {
  return Find([&](const TensorType& type) { return type.name == name; });
}

}  // namespace parity::gguf
