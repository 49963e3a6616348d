// What the comparing instructions of a script return, from the bytes they name.
#ifndef GTEST_PARITY_SIDE_COMPARISONS_H_
#define GTEST_PARITY_SIDE_COMPARISONS_H_

#include "gtest_parity/side/rank_memory.h"
#include "gtest_parity/side/script.h"
#include "kernels/poison.h"

namespace parity {

// `a` and `b` are the instruction's sources, `before` the results of the script so far. All throw
// EngineError for sizes that do not go together and for ranges beyond the end.
Result CompareElements(const Instruction& instruction, View a, View b, const Results& before);
Result CompareRows(const Instruction& instruction, View a, View b);
// With the reference's scores, where the instruction names any.
Result CompareChoices(const Instruction& instruction, View a, View b, View scores);
Result FindUnwritten(const Instruction& instruction, View a, View b, const Results& before);
Result FindWritten(const Instruction& instruction, View a, View b, const Results& before);
Result FindChanged(const Instruction& instruction, View a, View b);
Result CheckDomain(const Instruction& instruction, View a);

// The instruction's poison `which`, 0 or 1.
ElementBits PoisonOf(const Instruction& instruction, std::uint32_t which);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_COMPARISONS_H_
