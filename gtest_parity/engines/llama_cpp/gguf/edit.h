// Faults planted in a GGUF's tensors, so that a suite is seen to find them.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_EDIT_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_EDIT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parity::gguf {

struct Scale {
  std::string tensor;
  float factor = 1;
};

struct ShiftRow {
  std::string tensor;
  std::uint64_t row = 0;  // takes the values of the row after it
};

struct Edits {
  // Every value times the factor, rounded as the type rounds; of q8_0 the blocks' scales.
  std::vector<Scale> scales;
  std::vector<ShiftRow> shifts;
  // Of every matrix the rows in another order, and the sign of some turned: another model of the
  // same shape, whose values are as large as before. Vectors stay.
  std::optional<std::uint64_t> other_weights_seed;
};

// "NAME=1.02", "NAME=3". Throws InvalidInput with the name of the option.
Scale ParseScale(const std::string& text);
ShiftRow ParseShiftRow(const std::string& text);

// `bytes`, the content of the file `name`, with the edits in the order above; all but tensors' data
// stays as it is, bit for bit. Throws InvalidInput on what is no GGUF, an unknown tensor (with the
// nearest name), a row that has none after it, a type that is not edited, a value beyond the type's
// range, and when an edit changes nothing: a fault that is none would be looked for in vain.
std::string Edit(const std::string& name, std::string bytes, const Edits& edits);

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_EDIT_H_
