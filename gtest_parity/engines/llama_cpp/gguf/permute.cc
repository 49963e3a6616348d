#include "gtest_parity/engines/llama_cpp/gguf/permute.h"

#include <algorithm>

namespace parity::gguf {

std::vector<float> PermuteForRope(std::span<const float> rows, std::uint64_t heads,
                                  std::uint64_t columns) {
  const std::uint64_t head_rows = rows.size() / columns / heads;
  std::vector<float> out;
  out.reserve(rows.size());
  for (std::uint64_t head = 0; head < heads; ++head) {
    for (std::uint64_t row = 0; row < head_rows; ++row) {
      const std::uint64_t from = head * head_rows + row / 2 + row % 2 * (head_rows / 2);
      const auto values = rows.subspan(from * columns, columns);
      out.insert(out.end(), values.begin(), values.end());
    }
  }
  return out;
}

}  // namespace parity::gguf
