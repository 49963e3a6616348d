#include "kernels/cuda/row_launch.cuh"

namespace parity {

PARITY_ROW_LAUNCH(E4M3)
PARITY_ROW_LAUNCH(E5M2)
PARITY_ROW_LAUNCH(E8M0)
PARITY_ROW_LAUNCH(E2M1)

}  // namespace parity
