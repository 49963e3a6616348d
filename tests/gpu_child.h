// What a test of GPUs does in another process, which it may lose.
#ifndef GTEST_PARITY_TESTS_GPU_CHILD_H_
#define GTEST_PARITY_TESTS_GPU_CHILD_H_

#include <string>

namespace parity {

// First argument of this program where it is such a process; the others are the test's own.
inline constexpr char kGpuChild[] = "--gpu_child";

// Its exit status. Each program of tests has one.
int RunGpuChild(int argc, char** argv);

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_GPU_CHILD_H_
