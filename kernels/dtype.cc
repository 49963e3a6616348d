#include "kernels/dtype.h"

#include <array>
#include <stdexcept>
#include <string>

namespace parity {
namespace {

struct Properties {
  std::string_view name;
  std::uint32_t bytes;
  bool is_float;
};

// In the order of the enumerators.
constexpr std::array<Properties, kDTypeCount> kProperties = {{
    {"f64", 8, true},
    {"f32", 4, true},
    {"f16", 2, true},
    {"bf16", 2, true},
    {"e4m3", 1, true},
    {"i8", 1, false},
    {"i16", 2, false},
    {"i32", 4, false},
    {"i64", 8, false},
    {"u8", 1, false},
    {"u16", 2, false},
    {"u32", 4, false},
    {"u64", 8, false},
    {"bool", 1, false},
    {"bytes", 1, false},
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

std::uint32_t BytesOf(DType dtype) { return PropertiesOf(dtype).bytes; }

bool IsFloat(DType dtype) { return PropertiesOf(dtype).is_float; }

}  // namespace parity
