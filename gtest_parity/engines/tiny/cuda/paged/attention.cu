#include "gtest_parity/engines/tiny/cuda/cache.cuh"
#include "gtest_parity/engines/tiny/cuda/check.h"
#include "gtest_parity/engines/tiny/cuda/cuda_backend.h"
#include "gtest_parity/engines/tiny/cuda/lanes.cuh"
#include "gtest_parity/engines/tiny/cuda/paged/ops.h"

namespace parity::tiny::cuda::paged {
namespace {

constexpr int kThreads = 128;

// A block for a row.
__global__ void AppendRow(Stored from, Cache cache, const std::int32_t* positions,
                          const std::int32_t* row_seq) {
  const std::uint32_t row = blockIdx.x, columns = cache.heads * cache.head_dim;
  const std::uint64_t to = cache.At(row_seq[row], static_cast<std::uint32_t>(positions[row]), 0);
  for (std::uint32_t c = threadIdx.x; c < columns; c += blockDim.x) {
    cache.stored.Store(to + c, from.Load(std::uint64_t{row} * columns + c));
  }
}

// In place: exp(weight - max) / sum, the sum from the first to the last.
__device__ void Softmax(float* weights, std::uint32_t count) {
  __shared__ float most, sum;
  if (threadIdx.x == 0) {
    most = weights[0];
    for (std::uint32_t i = 1; i < count; ++i) most = fmaxf(most, weights[i]);
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    weights[i] = expf(weights[i] - most);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) sum += weights[i];
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) weights[i] /= sum;
  __syncthreads();
}

// A block for a row's head; shared: [context] weights.
__global__ void Attend(Stored query, Cache keys, Cache values, Stored out,
                       const std::int32_t* positions, const std::int32_t* row_seq) {
  extern __shared__ float weights[];
  const std::uint32_t row = blockIdx.x, head = blockIdx.y, heads = gridDim.y;
  const std::uint32_t head_dim = keys.head_dim, kv_head = head / (heads / keys.heads);
  const std::uint64_t q = (std::uint64_t{row} * heads + head) * head_dim;
  const auto count = static_cast<std::uint32_t>(positions[row]) + 1;
  const float scale = 1.0f / sqrtf(static_cast<float>(head_dim));
  for (std::uint32_t position = threadIdx.x; position < count; position += blockDim.x) {
    const std::uint64_t k = keys.At(row_seq[row], position, kv_head);
    weights[position] = Dot(
                            head_dim, [&](std::uint64_t i) { return query.Load(q + i); },
                            [&](std::uint64_t i) { return keys.stored.Load(k + i); }) *
                        scale;
  }
  __syncthreads();
  Softmax(weights, count);
  for (std::uint32_t i = threadIdx.x; i < head_dim; i += blockDim.x) {
    float sum = 0;
    for (std::uint32_t position = 0; position < count; ++position) {
      sum += weights[position] * values.stored.Load(values.At(row_seq[row], position, kv_head) + i);
    }
    out.Store(q + i, sum);
  }
}

}  // namespace

parity_status Append(const OpArgs& args) {
  for (std::size_t which = 0; which < 2; ++which) {
    AppendRow<<<Rows(args.reads[which]), kThreads, 0, On(args).cuda_stream()>>>(
        At(args.reads[which]), CacheOf(args.updates[which], args.reads[4]),
        args.reads[2].As<std::int32_t>(), args.reads[3].As<std::int32_t>());
    CheckLaunch("Append");
  }
  return PARITY_OK;
}

parity_status Attention(const OpArgs& args) {
  const Operand& query = args.reads[0];
  const auto heads = static_cast<unsigned>(Columns(query) / args.reads[1].dims[3]);
  Attend<<<dim3(Rows(query), heads), kThreads, args.model->context * sizeof(float),
           On(args).cuda_stream()>>>(
      At(query), CacheOf(args.reads[1], args.reads[5]), CacheOf(args.reads[2], args.reads[5]),
      At(args.writes[0]), args.reads[3].As<std::int32_t>(), args.reads[4].As<std::int32_t>());
  CheckLaunch("Attention");
  return PARITY_OK;
}

}  // namespace parity::tiny::cuda::paged
