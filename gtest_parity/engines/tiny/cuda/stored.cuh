// Elements of a tensor that is stored in f32 or bf16, as f32.
#ifndef GTEST_PARITY_ENGINES_TINY_CUDA_STORED_CUH_
#define GTEST_PARITY_ENGINES_TINY_CUDA_STORED_CUH_

#include <cuda_bf16.h>

#include <cstdint>

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny::cuda {

struct Stored {
  void* data;
  bool bf16;

  __device__ float Load(std::uint64_t i) const {
    return bf16 ? __bfloat162float(static_cast<const __nv_bfloat16*>(data)[i])
                : static_cast<const float*>(data)[i];
  }
  // To bf16 by rounding to nearest, ties to even.
  __device__ void Store(std::uint64_t i, float value) const {
    if (bf16) {
      static_cast<__nv_bfloat16*>(data)[i] = __float2bfloat16_rn(value);
    } else {
      static_cast<float*>(data)[i] = value;
    }
  }
  // What is left of a value that is stored.
  __device__ float Rounded(float value) const {
    return bf16 ? __bfloat162float(__float2bfloat16_rn(value)) : value;
  }
};

inline Stored At(const Operand& tensor) { return {tensor.data, tensor.dtype == PARITY_BF16}; }
inline std::uint64_t Columns(const Operand& tensor) { return tensor.dims.back(); }
inline unsigned Rows(const Operand& tensor) {
  return static_cast<unsigned>(tensor.Elements() / tensor.dims.back());
}

}  // namespace parity::tiny::cuda

#endif  // GTEST_PARITY_ENGINES_TINY_CUDA_STORED_CUH_
