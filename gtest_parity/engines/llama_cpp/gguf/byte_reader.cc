#include "gtest_parity/engines/llama_cpp/gguf/byte_reader.h"

#include "gtest_parity/engines/llama_cpp/gguf/refuse.h"

namespace parity::gguf {

std::string_view ByteReader::Take(std::uint64_t count, const std::string& what) {
  if (count > left()) {
    Refuse(file_, what + " at byte " + std::to_string(at_),
           std::to_string(left()) + " bytes to the file's end", std::to_string(count));
  }
  const std::string_view taken = bytes_.substr(at_, count);
  at_ += count;
  return taken;
}

std::uint32_t ByteReader::U32(const std::string& what) {
  return static_cast<std::uint32_t>(Number(4, what));
}

std::uint64_t ByteReader::U64(const std::string& what) { return Number(8, what); }

std::string_view ByteReader::Text(const std::string& what) {
  return Take(U64("the length of " + what), what);
}

std::uint64_t ByteReader::Number(std::uint64_t width, const std::string& what) {
  std::uint64_t value = 0;
  int shift = 0;
  for (const char byte : Take(width, what)) {
    value |= std::uint64_t{static_cast<unsigned char>(byte)} << shift;
    shift += 8;
  }
  return value;
}

}  // namespace parity::gguf
