// A parity manifest: any text is either read or refused with InvalidInput.
#include <cstddef>
#include <cstdint>
#include <string>

#include "gtest_parity/manifest/diagnostics.h"
#include "gtest_parity/manifest/read_manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    parity::ReadManifestText("fuzz.yaml", text);
  } catch (const parity::InvalidInput&) {
  }
  return 0;
}
