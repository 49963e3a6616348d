// What the comparing instructions of a script return, from the bytes they name.
#ifndef GTEST_PARITY_SIDE_COMPARISONS_H_
#define GTEST_PARITY_SIDE_COMPARISONS_H_

#include <vector>

#include "gtest_parity/side/rank_memory.h"
#include "gtest_parity/side/script.h"
#include "kernels/poison.h"

namespace parity {

// `a` and `b` are the instruction's sources in memory of `device`, `before` the results of the
// script so far. All throw EngineError for sizes that do not go together and for ranges beyond the
// end. `stored` is the dtype in which the engine has the tensor: poison is one that it holds.
// Of several instructions, whose ranges are known before the first of them: asked all at once.
struct ElementsAsked {
  const Instruction* instruction = nullptr;
  ByteView a, b;
};
std::vector<Result> CompareElements(Device& device, const std::vector<ElementsAsked>& asked,
                                    const Results& before);
Result CompareRows(Device& device, const Instruction& instruction, ByteView a, ByteView b);
// With the reference's scores, where the instruction names any.
Result CompareChoices(Device& device, const Instruction& instruction, ByteView a, ByteView b,
                      ByteView taken_from);
Result FindUnwritten(Device& device, const Instruction& instruction, ByteView a, ByteView b,
                     const Results& before, DType stored);
Result FindWritten(Device& device, const Instruction& instruction, ByteView a, ByteView b,
                   const Results& before, DType stored);
Result FindChanged(Device& device, const Instruction& instruction, ByteView a, ByteView b);
Result CheckDomain(Device& device, const Instruction& instruction, ByteView a);

// The instruction's poison `which`, 0 or 1, of a tensor that the engine stores in that dtype.
ElementBits PoisonOf(const Instruction& instruction, std::uint32_t which, DType stored);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_COMPARISONS_H_
