// What copying memory reaches where a rank runs: the measure beside which its ops' times stand.
#ifndef GTEST_PARITY_SIDE_COPY_RATE_H_
#define GTEST_PARITY_SIDE_COPY_RATE_H_

#include <cstdint>
#include <vector>

#include "gtest_parity/side/side.h"

namespace parity {

// Bytes per second, read and written together, of each rank while all ranks copy at once. Throws
// SideFailure.
std::vector<double> CopyRates(Side& side, std::uint32_t ranks);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_COPY_RATE_H_
