#include "gtest_parity/side/value_text.h"

#include <charconv>
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
    // Whatever locale the engine has set.
    if constexpr (std::is_floating_point_v<decltype(value)>) {
      const int digits = std::is_same_v<decltype(value), const double> ? 17 : 9;
      *std::to_chars(text, text + sizeof(text) - 1, value, std::chars_format::general, digits).ptr =
          '\0';
    } else {
      std::snprintf(text, sizeof(text), "%s", std::to_string(value).c_str());
    }
  });
  return text;
}

std::string ValueText(Device& device, DType dtype, const std::uint8_t* data, std::uint64_t index) {
  const std::uint64_t shared = ElementsIn(dtype, 1);  // elements of one byte, 0 where wider
  const std::uint64_t within = shared > 1 ? index % shared : 0;
  std::uint8_t element[8];
  device.Fetch(element, data + BytesOf(dtype, index - within), BytesOf(dtype, 1));
  return ValueText(dtype, element, within);
}

}  // namespace parity
