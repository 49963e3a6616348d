#include "kernels/dtype.h"

#include <array>
#include <stdexcept>
#include <string>

namespace parity {
namespace {

struct Properties {
  std::string_view name;
  std::uint32_t bits;
  bool is_float;
};

// In the order of the enumerators.
constexpr std::array<Properties, kDTypeCount> kProperties = {{
    {"f64", 64, true},
    {"f32", 32, true},
    {"f16", 16, true},
    {"bf16", 16, true},
    {"e4m3", 8, true},
    {"e5m2", 8, true},
    {"e8m0", 8, true},
    {"e2m1", 4, true},
    {"i8", 8, false},
    {"i16", 16, false},
    {"i32", 32, false},
    {"i64", 64, false},
    {"u8", 8, false},
    {"u16", 16, false},
    {"u32", 32, false},
    {"u64", 64, false},
    {"bool", 8, false},
    {"bytes", 8, false},
}};

// A dtype may come from a message of another process, so any number can turn up.
const Properties& PropertiesOf(DType dtype) {
  const auto index = static_cast<std::size_t>(dtype);
  if (index >= kProperties.size()) {
    throw std::invalid_argument("dtype number " + std::to_string(index) + " is not one of the " +
                                std::to_string(kProperties.size()) + " that there are");
  }
  return kProperties[index];
}

}  // namespace

std::string_view NameOf(DType dtype) { return PropertiesOf(dtype).name; }

std::optional<DType> ParseDType(std::string_view name) {
  for (std::size_t i = 0; i < kProperties.size(); ++i) {
    if (kProperties[i].name == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

std::uint32_t BitsOf(DType dtype) { return PropertiesOf(dtype).bits; }

std::uint64_t BytesOf(DType dtype, std::uint64_t elements) {
  const std::uint32_t bits = BitsOf(dtype);
  return bits < 8 ? elements / 2 + elements % 2 : elements * (bits / 8);
}

std::uint64_t ElementsIn(DType dtype, std::uint64_t bytes) {
  const std::uint32_t bits = BitsOf(dtype);
  return bits < 8 ? bytes * 2 : bytes / (bits / 8);
}

bool IsFloat(DType dtype) { return PropertiesOf(dtype).is_float; }

}  // namespace parity
