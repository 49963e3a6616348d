// What an operand's text names.
#ifndef GTEST_PARITY_MANIFEST_OPERAND_H_
#define GTEST_PARITY_MANIFEST_OPERAND_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/manifest/description.h"

namespace parity {

struct Operand {
  const Tensor* tensor = nullptr;  // null: the text names nothing
  const Slice* slice = nullptr;    // null: the whole tensor
  bool peer = false;               // reaches `tensor` on the other ranks
};

// Resolves "q", "qkv/q" and "peer_x".
Operand Resolve(const Description& description, const std::string& text);

// Whether an extent is the same at every step: numbers and `ranks`.
bool IsFixed(const Dim& dim);

// The variables at their maxima, and `ranks`: what memory is allocated for.
Vars AtMost(const Description& description, std::uint32_t ranks);

// Intervals [lo, hi) along one axis that a tensor falls into. A tensor whose slices lie on several
// axes, or move with a variable other than `ranks`, is a single part with axis -1: its slices then
// count as the whole when read and as a part of it when written.
struct Parts {
  int axis = -1;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> intervals = {{0, 1}};
};

// Cuts a tensor wherever any of the slices begins or ends. `slices` may come from several
// declarations of the same tensor.
Parts CutIntoParts(const Tensor& tensor, const std::vector<const Slice*>& slices, const Vars& vars);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_OPERAND_H_
