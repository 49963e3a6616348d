// Reading a safetensors file: an 8-byte header length, a JSON header, then the tensors' bytes.
#ifndef GTEST_PARITY_ENGINES_TINY_SAFETENSORS_H_
#define GTEST_PARITY_ENGINES_TINY_SAFETENSORS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace parity::tiny {

struct StoredTensor {
  std::string dtype;  // as the header has it: "BF16", "F32", ...
  std::vector<std::uint64_t> shape;
  const std::byte* data = nullptr;  // row-major, inside the file's bytes
  std::uint64_t bytes = 0;
};

// The whole file in memory; tensors point into it.
class SafetensorsFile {
 public:
  // Throws EngineError: PARITY_INVALID if the file cannot be opened, PARITY_FAILED if it is
  // truncated, its header reaches beyond it, or a tensor's offsets do not fit its shape or the
  // file.
  explicit SafetensorsFile(std::string path);
  // `bytes` is what the file at `path` would hold.
  SafetensorsFile(std::string path, std::vector<std::byte> bytes);

  // Throws EngineError (PARITY_FAILED) unless `name` is there with that dtype and shape.
  const StoredTensor& Get(const std::string& name, const std::string& dtype,
                          const std::vector<std::uint64_t>& shape) const;
  const std::map<std::string, StoredTensor>& tensors() const { return tensors_; }

 private:
  std::string path_;
  std::vector<std::byte> bytes_;
  std::map<std::string, StoredTensor> tensors_;
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SAFETENSORS_H_
