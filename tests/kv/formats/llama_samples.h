// llama.cpp state files of any shape, written as its own writer does.
#ifndef GTEST_PARITY_TESTS_KV_FORMATS_LLAMA_SAMPLES_H_
#define GTEST_PARITY_TESTS_KV_FORMATS_LLAMA_SAMPLES_H_

#include "suites/kv/formats/byte_order.h"
#include "suites/kv/formats/llama_state.h"
#include "tests/kv/formats/kvc_samples.h"

namespace parity::kv {

struct LlamaShape {
  bool whole = false, newer = false, transposed = false;
  std::uint32_t tokens = 27, layers = 4, type = 1;
  std::uint64_t row_bytes = 128;  // of K and V, where V is not transposed
  std::uint32_t element_bytes = 2, row_elements = 64;
  std::uint32_t streams = 1, empty_streams = 0;
};

class LlamaWriter {
 public:
  explicit LlamaWriter(const LlamaShape& shape) : shape_(shape) {}

  Bytes Write() {
    U32(shape_.whole ? kLlamaContextMagic : kLlamaSequenceMagic);
    U32((shape_.whole ? 9 : 2) + (shape_.newer ? 1 : 0));
    U32(shape_.tokens);
    for (std::uint32_t token = 0; token < shape_.tokens; ++token) U32(100 + token);
    if (shape_.whole) Context();
    if (shape_.newer) U32(shape_.streams + shape_.empty_streams);
    for (std::uint32_t i = 0; i < shape_.empty_streams; ++i) U32(0);
    for (std::uint32_t i = 0; i < shape_.streams; ++i) Stream();
    return std::move(out_);
  }

 private:
  void U32(std::uint64_t value) { AppendUnsigned(value, 4, &out_); }
  void U64(std::uint64_t value) { AppendUnsigned(value, 8, &out_); }
  void Fill(std::uint64_t bytes) {
    for (std::uint64_t i = 0; i < bytes; ++i) out_.push_back(static_cast<std::uint8_t>(i * 7 + 1));
  }

  // The architecture, then, of the older version, two outputs, six logits and no embeddings.
  void Context() {
    U32(5);
    for (const char c : {'l', 'l', 'a', 'm', 'a'}) out_.push_back(static_cast<std::uint8_t>(c));
    if (shape_.newer) return;
    U32(2);
    Fill(8);
    U64(6);
    Fill(24);
    U64(0);
  }

  void Stream() {
    U32(shape_.tokens);
    for (std::uint32_t cell = 0; cell < shape_.tokens; ++cell) {
      U32(cell);
      const bool ids = shape_.newer || shape_.whole;
      U32(ids ? 1 : 0);
      if (ids) U32(0);
    }
    U32(shape_.transposed ? 1 : 0);
    U32(shape_.layers);
    for (std::uint32_t layer = 0; layer < shape_.layers; ++layer) Rows();
    for (std::uint32_t layer = 0; layer < shape_.layers; ++layer) {
      shape_.transposed ? Runs() : Rows();
    }
  }

  void Rows() {
    U32(shape_.type);
    U64(shape_.row_bytes);
    Fill(shape_.tokens * shape_.row_bytes);
  }

  void Runs() {
    U32(shape_.type);
    U32(shape_.element_bytes);
    U32(shape_.row_elements);
    Fill(std::uint64_t{shape_.tokens} * shape_.element_bytes * shape_.row_elements);
  }

  const LlamaShape shape_;
  Bytes out_;
};

inline Record DecodeLlama(Bytes bytes) {
  return Decode(LlamaStateFormat(), std::move(bytes), "a.bin");
}

}  // namespace parity::kv

#endif  // GTEST_PARITY_TESTS_KV_FORMATS_LLAMA_SAMPLES_H_
