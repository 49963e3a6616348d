#include "gtest_parity/engines/llama_cpp/gguf/other_weights.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace parity::gguf {
namespace {

// What seed_seq and the engine do is laid down by the standard, unlike what distributions do.
std::mt19937_64 GeneratorOf(const std::string& name, std::uint64_t seed) {
  std::vector<std::uint32_t> words = {static_cast<std::uint32_t>(seed),
                                      static_cast<std::uint32_t>(seed >> 32)};
  for (const char byte : name) words.push_back(static_cast<unsigned char>(byte));
  std::seed_seq sequence(words.begin(), words.end());
  return std::mt19937_64(sequence);
}

// Fisher and Yates. That the remainder favours some orders by 2^-40 is of no matter here.
std::vector<std::uint64_t> Shuffled(std::uint64_t count, std::mt19937_64* generator) {
  std::vector<std::uint64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (std::uint64_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[(*generator)() % left]);
  }
  return order;
}

// Of a two's complement byte; -128, which has no opposite, becomes the nearest.
char Negated(char quant) {
  const int value = -static_cast<int>(static_cast<signed char>(quant));
  return static_cast<char>(std::min(value, 127));
}

void TurnSigns(const TensorType& type, std::string* row) {
  for (std::size_t i = 0; i < row->size(); ++i) {
    const std::size_t at = i % type.bytes;
    char& byte = (*row)[i];
    if (type.number == kQ8_0) {
      if (at >= kQ8_0BlockBytes - kQ8_0Block) byte = Negated(byte);
    } else if (at + 1 == type.bytes) {  // the sign is the topmost bit
      byte = static_cast<char>(byte ^ 0x80);
    }
  }
}

}  // namespace

std::string OtherWeights(const Tensor& tensor, std::string_view data, std::uint64_t seed) {
  std::mt19937_64 generator = GeneratorOf(tensor.name, seed);
  const std::uint64_t row_bytes = tensor.RowBytes();
  std::string out;
  for (const std::uint64_t from : Shuffled(tensor.Rows(), &generator)) {
    std::string row(data.substr(from * row_bytes, row_bytes));
    if ((generator() >> 63) != 0) TurnSigns(*tensor.type, &row);
    out += row;
  }
  return out;
}

}  // namespace parity::gguf
