// The numbers that GGUF writes for types of metadata and of tensors (ggml's gguf.h and ggml.h).
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_TYPES_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_TYPES_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace parity::gguf {

enum class ValueType : std::uint32_t {
  kU8 = 0,
  kI8 = 1,
  kU16 = 2,
  kI16 = 3,
  kU32 = 4,
  kI32 = 5,
  kF32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kU64 = 10,
  kI64 = 11,
  kF64 = 12,
};
inline constexpr std::uint32_t kValueTypes = 13;

// "u8", "f32", "bool", "string", "array", ...
std::string_view NameOf(ValueType type);
// Bytes of one value, 0 for strings and arrays, whose bytes say how many they are.
std::uint64_t BytesOf(ValueType type);

// What this program computes with; a file may hold more of them, see FindTensorType.
inline constexpr std::uint32_t kF32 = 0, kF16 = 1, kQ8_0 = 8, kBF16 = 30;
// Elements of a q8_0 block; its bytes are an f16 scale and so many i8.
inline constexpr std::uint64_t kQ8_0Block = 32, kQ8_0BlockBytes = 2 + kQ8_0Block;

// Elements are stored in blocks, whole ones in each row.
struct TensorType {
  std::uint32_t number;
  std::string_view name;  // "f32", "q8_0", "q4_k", ...
  std::uint64_t block;    // elements
  std::uint64_t bytes;    // of a block
};

// Null where no such type is known.
const TensorType* FindTensorType(std::uint32_t number);
const TensorType* FindTensorType(std::string_view name);

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_TYPES_H_
