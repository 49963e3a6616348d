// A GGUF: any bytes are read or refused with InvalidInput; what is read lies within them, can be
// listed, and is edited in place or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gtest_parity/engines/llama_cpp/gguf/edit.h"
#include "gtest_parity/engines/llama_cpp/gguf/gguf_file.h"
#include "gtest_parity/engines/llama_cpp/gguf/list.h"
#include "gtest_parity/manifest/diagnostics.h"

namespace {

using parity::gguf::Edits;

void TryEdit(const std::string& bytes, const Edits& edits) {
  try {
    const std::string edited = parity::gguf::Edit("fuzz.gguf", bytes, edits);
    if (edited.size() != bytes.size() || edited == bytes) std::abort();
  } catch (const parity::InvalidInput&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    const parity::gguf::Layout layout = parity::gguf::ReadLayout("fuzz.gguf", bytes);
    if (parity::gguf::ListText(layout).empty()) std::abort();
    for (const parity::gguf::Tensor& tensor : layout.tensors) {
      if (tensor.offset > size || tensor.bytes > size - tensor.offset) std::abort();
      if (tensor.Rows() * tensor.RowBytes() != tensor.bytes) std::abort();
      TryEdit(bytes, {{{tensor.name, 0.5f}}, {}, {}});
      TryEdit(bytes, {{}, {{tensor.name, 0}}, {}});
    }
    TryEdit(bytes, {{}, {}, 1});
  } catch (const parity::InvalidInput&) {
  }
  return 0;
}
