// The state files of llama.cpp: of one sequence (versions 2 and 3) and of a whole context (versions
// 9 and 10).
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_LLAMA_STATE_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_LLAMA_STATE_H_

#include <string>

#include "suites/kv/formats/record_format.h"

namespace parity::kv {

inline constexpr std::uint32_t kLlamaSequenceMagic = 0x67677371;  // "qsgg" in the file
inline constexpr std::uint32_t kLlamaContextMagic = 0x6767736e;   // "nsgg"
inline constexpr std::uint64_t kLlamaMostLayers = 512, kLlamaMostStreams = 256;
// Each cell tells how long it is, so that all before the layers are read.
inline constexpr std::uint64_t kLlamaMostCells = std::uint64_t{1} << 20;

class LlamaStateFormat : public RecordFormat {
 public:
  std::string name() const override { return "llama_state"; }
  bool Recognises(std::span<const std::uint8_t> first, const std::string& file_name) const override;
  Record Decode(RecordBytes* bytes, const std::string& file_name) const override;
};

// "f16", "q8_0", ...; empty for a type without a name here.
std::string LlamaTypeName(std::uint64_t type);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_LLAMA_STATE_H_
