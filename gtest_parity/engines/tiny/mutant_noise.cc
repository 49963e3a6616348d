// Mutants of a reference: unordered summation, about an ulp, in its linear ops.
#include <numeric>

#include "gtest_parity/engines/tiny/mutant_hooks.h"

namespace parity::tiny {

void ShuffleSums(MutantCall& call) {
  if (call.op.op != "linear") return;
  std::iota(call.order.begin(), call.order.end(), std::uint8_t{0});
  for (std::size_t left = call.order.size(); left > 1; --left) {
    std::swap(call.order[left - 1], call.order[call.random() % left]);
  }
  call.args.lane_order = call.order.data();
}

void ShuffleSumsOfBatches(MutantCall& call) {
  if (call.memory.extents().sequences > 1) ShuffleSums(call);
}

void ShuffleSumsOnRank0(MutantCall& call) {
  if (call.rank == 0) ShuffleSums(call);
}

void ShuffleSumsInLayer0(MutantCall& call) {
  if (call.op.layer == 0) ShuffleSums(call);
}

}  // namespace parity::tiny
