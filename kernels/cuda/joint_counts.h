// Large arrays of 8-bit numbers: pairs are counted, and what each kind of pair says is worked out
// once, as kernels/pair_counts.h does on the host.
//
// Of floats a pair and that of its negatives say the same, so that the sign of the reference can be
// folded into the candidate's: 128 x 256 counters, which fit into a multiprocessor's shared memory.
// Integers are read twice, for the lower and the upper half of the reference's values.
#ifndef GTEST_PARITY_KERNELS_CUDA_JOINT_COUNTS_H_
#define GTEST_PARITY_KERNELS_CUDA_JOINT_COUNTS_H_

#include <memory>

#include "kernels/cuda/element_launch.h"

namespace parity {

// From so many elements on it pays to clear, add up and read the counters.
inline constexpr std::uint64_t kJointElements = std::uint64_t{4} << 20;

// Of one task. Defined for e4m3, e5m2 and both integers.
template <typename Format>
std::unique_ptr<ElementLaunch> MakeJointLaunch(const ElementWork& work, ElementStats* results,
                                               Scratch& scratch);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_JOINT_COUNTS_H_
