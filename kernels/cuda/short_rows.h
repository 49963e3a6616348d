// Rows of few columns, on the device: a warp compares one after another, and works out at the end
// what each lane's row comes to.
#ifndef GTEST_PARITY_KERNELS_CUDA_SHORT_ROWS_H_
#define GTEST_PARITY_KERNELS_CUDA_SHORT_ROWS_H_

#include <memory>
#include <vector>

#include "kernels/cuda/row_launch.h"

namespace parity {

// Two of each lane.
inline constexpr std::uint32_t kShortColumns = 64;

// As MakeRowLaunch. Defined for every floating format of up to 32 bits.
template <typename Format>
std::unique_ptr<RowLaunch> MakeShortRowLaunch(std::vector<RowWork> works, RowStats* results,
                                              Scratch& scratch);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_SHORT_ROWS_H_
