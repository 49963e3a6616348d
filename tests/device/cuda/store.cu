#include "tests/device/cuda/store.h"

namespace parity {
namespace {

__global__ void Store(std::uint8_t* to, std::uint8_t value) { *to = value; }

}  // namespace

int StoreByte(std::uint8_t* to, std::uint8_t value) {
  Store<<<1, 1>>>(to, value);
  const cudaError_t launched = cudaGetLastError();
  return launched != cudaSuccess ? launched : cudaDeviceSynchronize();
}

}  // namespace parity
