#include "gtest_parity/side/value_text.h"

#include <cstdio>
#include <type_traits>

#include "kernels/dispatch.h"
#include "kernels/formats.h"

namespace parity {

std::string ValueText(DType dtype, const std::uint8_t* data, std::uint64_t index) {
  char text[40];
  if (dtype == DType::kBytes) {
    std::snprintf(text, sizeof(text), "0x%02x", data[index]);
    return text;
  }
  VisitNumericFormat(dtype, "a value", [&]<typename Format>(Format) {
    const auto value = Format::Decode(LoadBits<Format>(data, index));
    if constexpr (std::is_same_v<decltype(value), const double>) {
      std::snprintf(text, sizeof(text), "%.17g", value);
    } else if constexpr (std::is_same_v<decltype(value), const float>) {
      std::snprintf(text, sizeof(text), "%.9g", static_cast<double>(value));
    } else {
      std::snprintf(text, sizeof(text), "%s", std::to_string(value).c_str());
    }
  });
  return text;
}

}  // namespace parity
