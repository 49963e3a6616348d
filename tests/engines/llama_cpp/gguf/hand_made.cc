#include "tests/engines/llama_cpp/gguf/hand_made.h"

#include <gtest/gtest.h>

#include "gtest_parity/engines/llama_cpp/gguf/gguf_file.h"
#include "gtest_parity/manifest/diagnostics.h"

namespace parity::gguf::testing {

using std::string_literals::operator""s;

std::string HandMade() {
  std::string bytes =
      "GGUF"
      "\3\0\0\0"          // version
      "\3\0\0\0\0\0\0\0"  // tensors
      "\3\0\0\0\0\0\0\0"  // keys
      "\24\0\0\0\0\0\0\0"
      "general.architecture"
      "\10\0\0\0"  // string
      "\3\0\0\0\0\0\0\0"
      "toy"
      "\11\0\0\0\0\0\0\0"
      "toy.sizes"
      "\11\0\0\0"  // array
      "\5\0\0\0"   // of i32
      "\2\0\0\0\0\0\0\0"
      "\1\0\0\0"
      "\376\377\377\377"
      "\6\0\0\0\0\0\0\0"
      "toy.on"
      "\7\0\0\0"  // bool
      "\1"
      // Tensors: name, dimensions, extents, type, offset.
      "\1\0\0\0\0\0\0\0"
      "a"
      "\2\0\0\0"
      "\2\0\0\0\0\0\0\0"
      "\3\0\0\0\0\0\0\0"
      "\0\0\0\0"
      "\0\0\0\0\0\0\0\0"
      "\1\0\0\0\0\0\0\0"
      "b"
      "\1\0\0\0"
      "\4\0\0\0\0\0\0\0"
      "\1\0\0\0"
      "\40\0\0\0\0\0\0\0"
      "\1\0\0\0\0\0\0\0"
      "c"
      "\2\0\0\0"
      "\40\0\0\0\0\0\0\0"
      "\2\0\0\0\0\0\0\0"
      "\10\0\0\0"
      "\100\0\0\0\0\0\0\0"s;
  bytes.resize((bytes.size() + 31) / 32 * 32, '\0');
  bytes +=
      "\0\0\200\77\0\0\0\100\0\0\100\100\0\0\200\100\0\0\240\100\0\0\300\100"  // a
      "\0\0\0\0\0\0\0\0"
      "\0\74\0\300\0\70\377\173"  // b
      "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"s;
  bytes += "\0\74"s;  // c
  for (int i = 0; i < 32; ++i) bytes += static_cast<char>(i);
  bytes += "\0\70"s;
  for (int i = 0; i < 32; ++i) bytes += static_cast<char>(-1 - i);
  return bytes;
}

std::string HandMadeWith(const std::string& anchor, std::size_t after, const std::string& bytes) {
  std::string file = HandMade();
  const std::size_t at = file.find(anchor);
  EXPECT_NE(at, std::string::npos) << anchor;
  return file.replace(at + anchor.size() + after, bytes.size(), bytes);
}

std::string LayoutError(const std::string& bytes) {
  try {
    ReadLayout("hand.gguf", bytes);
    return "";
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

}  // namespace parity::gguf::testing
