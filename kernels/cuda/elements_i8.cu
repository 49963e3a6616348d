#include "kernels/cuda/element_launch.cuh"

namespace parity {

PARITY_ELEMENT_LAUNCH(IntegerFormat<std::int8_t>)
PARITY_ELEMENT_LAUNCH(IntegerFormat<std::uint8_t>)
PARITY_ELEMENT_LAUNCH(Opaque)

}  // namespace parity
