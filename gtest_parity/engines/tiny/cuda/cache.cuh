// Where a sequence's tokens lie in a cache [pages, tokens, KV heads, head_dim].
#ifndef GTEST_PARITY_ENGINES_TINY_CUDA_CACHE_CUH_
#define GTEST_PARITY_ENGINES_TINY_CUDA_CACHE_CUH_

#include "gtest_parity/engines/tiny/cuda/stored.cuh"

namespace parity::tiny::cuda {

struct Cache {
  Stored stored;
  std::uint32_t page_tokens, heads, head_dim;
  const std::int32_t* block_table;
  std::uint32_t pages_of_each;

  // Element 0 of a position's KV head.
  __device__ std::uint64_t At(int sequence, std::uint32_t position, std::uint32_t head) const {
    const std::int32_t page =
        block_table[static_cast<std::uint64_t>(sequence) * pages_of_each + position / page_tokens];
    return ((static_cast<std::uint64_t>(page) * page_tokens + position % page_tokens) * heads +
            head) *
           head_dim;
  }
};

inline Cache CacheOf(const Operand& tensor, const Operand& block_table) {
  return {At(tensor),
          static_cast<std::uint32_t>(tensor.dims[1]),
          static_cast<std::uint32_t>(tensor.dims[2]),
          static_cast<std::uint32_t>(tensor.dims[3]),
          block_table.As<std::int32_t>(),
          static_cast<std::uint32_t>(block_table.dims[1])};
}

}  // namespace parity::tiny::cuda

#endif  // GTEST_PARITY_ENGINES_TINY_CUDA_CACHE_CUH_
