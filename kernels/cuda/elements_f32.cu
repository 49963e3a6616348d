#include "kernels/cuda/element_launch.cuh"

namespace parity {

PARITY_ELEMENT_LAUNCH(F32)

}  // namespace parity
