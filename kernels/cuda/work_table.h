// Which task each of many pieces belongs to.
#ifndef GTEST_PARITY_KERNELS_CUDA_WORK_TABLE_H_
#define GTEST_PARITY_KERNELS_CUDA_WORK_TABLE_H_

#include <cstdint>
#include <vector>

#include "kernels/cuda/scratch.h"

namespace parity {

// A table on the device, made there: table[i] is the last task t with firsts[t] <= i. `firsts`
// ascends from 0; `pieces` is below 2^32 - 2^16.
std::uint32_t* MakeWorkTable(const std::vector<std::uint32_t>& firsts, std::uint64_t pieces,
                             Scratch& scratch);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_WORK_TABLE_H_
