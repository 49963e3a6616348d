// What the device's benchmarks compare, made there.
#ifndef GTEST_PARITY_KERNELS_BENCH_BENCH_DATA_H_
#define GTEST_PARITY_KERNELS_BENCH_BENCH_DATA_H_

#include <cstdint>

#include "kernels/dtype.h"

namespace parity {

// The reference is N(0, 1) where the dtype is a float that has such numbers, else random bits.
enum class BenchData {
  kEqual,
  kNoise,      // plus N(0, 0.01), for 8-bit floats N(0, 0.1); every element differs
  kUlps,       // 1 to 3 ulp away, every element
  kMixed,      // noise; every second 32768 elements equal; 4.5e-4 of them NaN, infinite or zero
  kOneIn1000,  // one element in 1000 differs by its lowest bit
  kUnrelated,  // other numbers
};

// Fills `bytes` bytes of each side.
void MakeBenchData(DType dtype, BenchData data, void* a, void* b, std::uint64_t bytes);

// Rows of logits, 2 N(0, 1); b is a plus 0.02 N(0, 1), or unrelated.
void MakeBenchRows(DType dtype, bool unrelated, void* a, void* b, std::uint64_t elements);

// Counts the 16-byte vectors that differ, reading both sides once: what the others are held
// against. `count` is on the device.
void LaunchStreamingCompare(const void* a, const void* b, std::uint64_t bytes,
                            unsigned long long* count);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_BENCH_BENCH_DATA_H_
