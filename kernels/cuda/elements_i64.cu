#include "kernels/cuda/element_launch.cuh"

namespace parity {

PARITY_ELEMENT_LAUNCH(IntegerFormat<std::int64_t>)
PARITY_ELEMENT_LAUNCH(IntegerFormat<std::uint64_t>)

}  // namespace parity
