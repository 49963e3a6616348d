// Of programs whose tests need no other process of their own.
#include "tests/gpu_child.h"

namespace parity {

int RunGpuChild(int, char**) { return 2; }

}  // namespace parity
