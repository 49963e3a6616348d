#include "kernels/cuda/element_launch.cuh"

namespace parity {

PARITY_ELEMENT_LAUNCH(IntegerFormat<std::int16_t>)
PARITY_ELEMENT_LAUNCH(IntegerFormat<std::uint16_t>)

}  // namespace parity
