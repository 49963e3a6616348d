// A file of weights: any bytes are either read or refused with EngineError.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtest_parity/engines/tiny/error.h"
#include "gtest_parity/engines/tiny/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  try {
    const parity::tiny::SafetensorsFile file("fuzz.safetensors", {bytes, bytes + size});
    unsigned sum = 0;
    for (const auto& [name, tensor] : file.tensors()) {
      for (std::uint64_t i = 0; i < tensor.bytes; ++i) sum += static_cast<unsigned>(tensor.data[i]);
    }
    volatile unsigned kept = sum;
    static_cast<void>(kept);
  } catch (const parity::tiny::EngineError&) {
  }
  return 0;
}
