// One value of a GGUF's metadata, as the file has it.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_VALUE_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_VALUE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/engines/llama_cpp/gguf/types.h"

namespace parity::gguf {

// `bytes` is the file's own encoding of what follows type and count: a program that copies metadata
// copies it exactly. A string is a u64 length and its bytes.
struct Value {
  ValueType type = ValueType::kU32;
  ValueType element = ValueType::kU32;  // of an array; arrays of arrays are refused
  std::uint64_t count = 1;              // of an array's elements
  std::string bytes;
  bool operator==(const Value&) const = default;
};

using Metadata = std::vector<std::pair<std::string, Value>>;

Value U32(std::uint32_t value);
Value F32(float value);
Value Bool(bool value);
Value Text(const std::string& text);
Value Texts(const std::vector<std::string>& texts);
Value I32s(const std::vector<std::int32_t>& values);

// Null where there is no such key.
const Value* Find(const Metadata& metadata, const std::string& key);

// "32", "true", "\"llama\"", "[1024] \"<s>\", \"</s>\", \"!\", ...": strings as JSON has them, long
// ones and long arrays cut.
std::string TextOf(const Value& value);
// "u32", "array of string"
std::string TypeTextOf(const Value& value);

// Little-endian numbers, whatever the machine's own order.
void PutU32(std::uint32_t value, std::string* out);
void PutU64(std::uint64_t value, std::string* out);
// A u64 length and the bytes.
void PutText(const std::string& text, std::string* out);

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_VALUE_H_
