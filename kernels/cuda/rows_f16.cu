#include "kernels/cuda/row_launch.cuh"

namespace parity {

PARITY_ROW_LAUNCH(F16)
PARITY_ROW_LAUNCH(BF16)

}  // namespace parity
