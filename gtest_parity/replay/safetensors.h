// The safetensors format: 8 bytes of header length (little endian), a JSON header, the data.
#ifndef GTEST_PARITY_REPLAY_SAFETENSORS_H_
#define GTEST_PARITY_REPLAY_SAFETENSORS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/dtype.h"

namespace parity {

struct SafetensorsEntry {
  std::string name;
  std::string dtype;  // the format's name: "F32", "U8", ...
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0, end = 0;  // in the data
  bool operator==(const SafetensorsEntry&) const = default;
};

// The format's name of a dtype; opaque bytes are "U8".
const char* SafetensorsName(DType dtype);

// What a file begins with: the length and the header, padded to a multiple of 8 bytes.
std::string SafetensorsHead(const std::vector<SafetensorsEntry>& entries);

inline constexpr std::uint64_t kSafetensorsLengthBytes = 8;
// The header's length from a file's first 8 bytes. Throws RecordingRefused unless that many bytes,
// and at most the 100 MB that the format allows, lie in a file of `file_bytes`.
std::uint64_t SafetensorsHeaderBytes(std::span<const std::uint8_t> first, std::uint64_t file_bytes);

// The entries of a header, in the order of their data. Throws RecordingRefused unless they have
// known dtypes, whole elements, and together cover `data_bytes` without gap or overlap.
std::vector<SafetensorsEntry> ParseSafetensorsHeader(std::span<const std::uint8_t> header,
                                                     std::uint64_t data_bytes);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_SAFETENSORS_H_
