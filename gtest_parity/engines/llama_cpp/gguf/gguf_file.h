// The layout of a GGUF file (version 3, little-endian; version 2 has the same): "GGUF", a u32
// version, u64 counts of tensors and of keys, the keys with their values, what tensors there are,
// and, aligned, their data.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_GGUF_FILE_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_GGUF_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gtest_parity/engines/llama_cpp/gguf/types.h"
#include "gtest_parity/engines/llama_cpp/gguf/value.h"

namespace parity::gguf {

inline constexpr std::string_view kMagic = "GGUF";
inline constexpr std::uint32_t kVersion = 3;
inline constexpr std::uint64_t kAlignment = 32;  // where general.alignment says nothing else
inline constexpr std::size_t kMostNameBytes =
    63;  // of a tensor's name: ggml holds a zero behind it
inline constexpr std::size_t kMostDimensions = 4;

struct Tensor {
  std::string name;
  // As ggml has it, the fastest dimension first: a matrix of 512 rows of 256 is [256, 512].
  std::vector<std::uint64_t> shape;
  const TensorType* type = nullptr;
  std::uint64_t offset = 0, bytes = 0;  // in the file

  std::uint64_t RowBytes() const { return shape.front() / type->block * type->bytes; }
  std::uint64_t Rows() const { return RowBytes() == 0 ? 0 : bytes / RowBytes(); }
};

struct Layout {
  std::uint32_t version = 0;
  std::uint64_t alignment = kAlignment;
  Metadata metadata;
  std::vector<Tensor> tensors;
};

// Reads what `bytes`, the content of the file `name`, holds. Throws InvalidInput unless every
// length, type and offset is one that the bytes bear out: names are unique, and tensors lie inside
// the file, aligned, whole, in order and apart.
Layout ReadLayout(const std::string& name, std::string_view bytes);

// Null where there is none.
const Tensor* FindTensor(const Layout& layout, const std::string& name);

// A tensor that is to be written.
struct NewTensor {
  std::string name;
  std::vector<std::uint64_t> shape;  // as in Tensor
  std::uint32_t type = kF32;
  std::string data;
};

// A file of version 3 with these, in that order.
std::string WriteGguf(const Metadata& metadata, const std::vector<NewTensor>& tensors);

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_GGUF_FILE_H_
