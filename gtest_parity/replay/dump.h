// Tensors on disk, for a person at work.
#ifndef GTEST_PARITY_REPLAY_DUMP_H_
#define GTEST_PARITY_REPLAY_DUMP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/dtype.h"

namespace parity {

struct DumpedTensor {
  std::string name;
  DType dtype = DType::kBytes;
  std::vector<std::uint64_t> shape;
  std::vector<std::uint8_t> bytes;
};

// <folder>/<span>/<run>.rank<r>.safetensors, with '/' and '#' of the run's name as '_' and '.'.
std::string DumpPath(const std::string& folder, const std::string& span, const std::string& run,
                     std::size_t rank);

// A safetensors file (8 bytes of header length, a JSON header, the data); its folder is made.
// Throws std::runtime_error with the path and the system's reason.
void WriteSafetensors(const std::string& path, const std::vector<DumpedTensor>& tensors);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_DUMP_H_
