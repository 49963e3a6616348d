#include "kernels/cuda/row_launch.cuh"

namespace parity {

PARITY_ROW_LAUNCH(F32)

}  // namespace parity
