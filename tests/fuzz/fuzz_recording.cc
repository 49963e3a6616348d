// The files of a recording: any bytes are either read as index, as evidence and as pages or are
// refused with RecordingRefused.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "gtest_parity/replay/read_recording.h"
#include "gtest_parity/replay/refused.h"
#include "gtest_parity/replay/safetensors.h"

namespace {

template <typename Read>
void Try(Read read) {
  try {
    read();
  } catch (const parity::RecordingRefused&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::span<const std::uint8_t> bytes(data, size);
  Try([&] { parity::ParseRecordingIndex(text); });
  Try([&] { parity::ParseRecording(text); });
  Try([&] {
    const std::uint64_t header = parity::SafetensorsHeaderBytes(bytes, size);
    const std::uint64_t begin = parity::kSafetensorsLengthBytes;
    parity::ParseSafetensorsHeader(bytes.subspan(begin, header), size - begin - header);
  });
  return 0;
}
