// Ops that sum: a warp for each sum.
#include "gtest_parity/engines/tiny/cuda/cache.cuh"
#include "gtest_parity/engines/tiny/cuda/check.h"
#include "gtest_parity/engines/tiny/cuda/cuda_backend.h"
#include "gtest_parity/engines/tiny/cuda/lanes.cuh"
#include "gtest_parity/engines/tiny/cuda/ported/ops.h"

namespace parity::tiny::cuda::ported {
namespace {

constexpr int kWarp = 32;

__global__ void NormWarp(Stored in, Stored weight, Stored out, std::uint64_t columns,
                         float epsilon) {
  const std::uint64_t row = blockIdx.x * columns;
  const auto value = [&](std::uint64_t c) { return in.Load(row + c); };
  const float sum = __shfl_sync(0xffffffffu, WarpDot(columns, value, value), 0);
  const float scale = 1.0f / sqrtf(sum / static_cast<float>(columns) + epsilon);
  for (std::uint64_t c = threadIdx.x; c < columns; c += kWarp) {
    out.Store(row + c, value(c) * scale * weight.Load(c));
  }
}

// Scores by warps in turn; then one thread of the block for what has an order, all for the rest.
__global__ void AttendWarps(Stored query, Cache keys, Cache values, Stored out,
                            const std::int32_t* positions, const std::int32_t* row_seq) {
  extern __shared__ float weights[];
  const std::uint32_t heads = gridDim.x, head = blockIdx.x, row = blockIdx.y;
  const std::uint32_t head_dim = keys.head_dim, kv_head = head * keys.heads / heads;
  const std::uint64_t q = (std::uint64_t{row} * heads + head) * head_dim;
  const auto count = static_cast<std::uint32_t>(positions[row]) + 1;
  const float scale = 1.0f / sqrtf(static_cast<float>(head_dim));
  for (std::uint32_t at = threadIdx.x / kWarp; at < count; at += blockDim.x / kWarp) {
    const std::uint64_t k = keys.At(row_seq[row], at, kv_head);
    const float dot = WarpDot(
        head_dim, [&](std::uint64_t i) { return query.Load(q + i); },
        [&](std::uint64_t i) { return keys.stored.Load(k + i); });
    if (threadIdx.x % kWarp == 0) weights[at] = dot * scale;
  }
  __syncthreads();
  // Every thread takes the same steps in the same order.
  float most = weights[0];
  for (std::uint32_t at = 1; at < count; ++at) most = fmaxf(most, weights[at]);
  float sum = 0;
  for (std::uint32_t at = 0; at < count; ++at) sum += expf(weights[at] - most);
  for (std::uint32_t i = threadIdx.x; i < head_dim; i += blockDim.x) {
    float value = 0;
    for (std::uint32_t at = 0; at < count; ++at) {
      const float weight = expf(weights[at] - most) / sum;
      value += weight * values.stored.Load(values.At(row_seq[row], at, kv_head) + i);
    }
    out.Store(q + i, value);
  }
}

__global__ void ArgmaxWarp(const float* logits, const std::int32_t* last_row, std::int32_t* next,
                           int columns) {
  const float* row = logits + static_cast<std::uint64_t>(last_row[blockIdx.x]) * columns;
  int best = static_cast<int>(threadIdx.x);
  for (int c = best + kWarp; c < columns; c += kWarp) {
    if (row[c] > row[best]) best = c;
  }
  for (int width = kWarp / 2; width > 0; width /= 2) {
    const int other = __shfl_down_sync(0xffffffffu, best, width);
    if (row[other] > row[best] || (row[other] == row[best] && other < best)) best = other;
  }
  if (threadIdx.x == 0) next[blockIdx.x] = best;
}

}  // namespace

parity_status RmsNorm(const OpArgs& args) {
  const Operand& in = args.reads[0];
  NormWarp<<<Rows(in), kWarp, 0, On(args).cuda_stream()>>>(
      At(in), At(args.reads[1]), At(args.writes[0]), Columns(in), args.model->norm_epsilon);
  CheckLaunch("RmsNorm");
  return PARITY_OK;
}

parity_status Attention(const OpArgs& args) {
  const Operand& query = args.reads[0];
  const auto heads = static_cast<unsigned>(Columns(query) / args.reads[1].dims[3]);
  AttendWarps<<<dim3(heads, Rows(query)), 2 * kWarp, args.model->context * sizeof(float),
                On(args).cuda_stream()>>>(
      At(query), CacheOf(args.reads[1], args.reads[5]), CacheOf(args.reads[2], args.reads[5]),
      At(args.writes[0]), args.reads[3].As<std::int32_t>(), args.reads[4].As<std::int32_t>());
  CheckLaunch("Attention");
  return PARITY_OK;
}

parity_status Argmax(const OpArgs& args) {
  ArgmaxWarp<<<static_cast<unsigned>(args.writes[0].dims[0]), kWarp, 0, On(args).cuda_stream()>>>(
      args.reads[0].As<float>(), args.reads[1].As<std::int32_t>(),
      args.writes[0].As<std::int32_t>(), static_cast<int>(Columns(args.reads[0])));
  CheckLaunch("Argmax");
  return PARITY_OK;
}

}  // namespace parity::tiny::cuda::ported
