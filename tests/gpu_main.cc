// Tests that need a GPU: without one they are skipped, and say why.
#include <gtest/gtest.h>

#include <cstdio>

#include "gtest_parity/device/gpus.h"
#include "tests/gpu_child.h"

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == parity::kGpuChild) return parity::RunGpuChild(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  try {
    parity::GpusForRanks(1);
  } catch (const parity::GpuUnavailable& missing) {
    std::printf("skipped: %s\n", missing.what());
    return 77;
  }
  return RUN_ALL_TESTS();
}
