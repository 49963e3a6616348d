#include "kernels/cuda/element_launch.cuh"

namespace parity {

PARITY_ELEMENT_LAUNCH(IntegerFormat<std::int32_t>)
PARITY_ELEMENT_LAUNCH(IntegerFormat<std::uint32_t>)

}  // namespace parity
