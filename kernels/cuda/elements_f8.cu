#include "kernels/cuda/element_launch.cuh"

namespace parity {

PARITY_ELEMENT_LAUNCH(E4M3)
PARITY_ELEMENT_LAUNCH(E5M2)
PARITY_ELEMENT_LAUNCH(E8M0)
PARITY_ELEMENT_LAUNCH(E2M1)

}  // namespace parity
