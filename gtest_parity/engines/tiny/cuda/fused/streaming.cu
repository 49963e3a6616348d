// A warp's norm and attention in one pass over the keys (Milakov, Gimelshein 2018, online softmax).
#include "gtest_parity/engines/tiny/cuda/cache.cuh"
#include "gtest_parity/engines/tiny/cuda/check.h"
#include "gtest_parity/engines/tiny/cuda/cuda_backend.h"
#include "gtest_parity/engines/tiny/cuda/fused/ops.h"

namespace parity::tiny::cuda::fused {
namespace {

constexpr int kWarp = 32;
constexpr int kMaxPerLane = 8;  // of head_dim, 256 at most

__device__ float WarpSum(float value) {
  for (int width = kWarp / 2; width > 0; width /= 2) {
    value += __shfl_xor_sync(0xffffffffu, value, width);
  }
  return value;
}

__global__ void Norm(Stored in, Stored weight, Stored out, std::uint64_t columns, float epsilon) {
  const std::uint64_t row = blockIdx.x * columns;
  float squares = 0;
  for (std::uint64_t c = threadIdx.x; c < columns; c += kWarp) {
    squares = fmaf(in.Load(row + c), in.Load(row + c), squares);
  }
  const float scale = rsqrtf(WarpSum(squares) / static_cast<float>(columns) + epsilon);
  for (std::uint64_t c = threadIdx.x; c < columns; c += kWarp) {
    out.Store(row + c, in.Load(row + c) * scale * weight.Load(c));
  }
}

__global__ void Attend(Stored query, Cache keys, Cache values, Stored out,
                       const std::int32_t* positions, const std::int32_t* row_seq) {
  const std::uint32_t row = blockIdx.x, head = blockIdx.y, heads = gridDim.y;
  const std::uint32_t head_dim = keys.head_dim, kv_head = head * keys.heads / heads;
  const std::uint64_t q = (std::uint64_t{row} * heads + head) * head_dim;
  const float scale = rsqrtf(static_cast<float>(head_dim));
  float most = -INFINITY, sum = 0, values_of[kMaxPerLane] = {};
  for (std::uint32_t at = 0; at <= static_cast<std::uint32_t>(positions[row]); ++at) {
    const std::uint64_t k = keys.At(row_seq[row], at, kv_head);
    float dot = 0;
    for (std::uint32_t i = threadIdx.x; i < head_dim; i += kWarp) {
      dot = fmaf(query.Load(q + i), keys.stored.Load(k + i), dot);
    }
    const float score = WarpSum(dot) * scale, higher = fmaxf(most, score);
    const float kept = __expf(most - higher), weight = __expf(score - higher);
    sum = fmaf(sum, kept, weight);
    for (std::uint32_t i = threadIdx.x, lane = 0; i < head_dim; i += kWarp, ++lane) {
      values_of[lane] = fmaf(values_of[lane], kept, weight * values.stored.Load(k + i));
    }
    most = higher;
  }
  for (std::uint32_t i = threadIdx.x, lane = 0; i < head_dim; i += kWarp, ++lane) {
    out.Store(q + i, values_of[lane] / sum);
  }
}

}  // namespace

parity_status RmsNorm(const OpArgs& args) {
  const Operand& in = args.reads[0];
  Norm<<<Rows(in), kWarp, 0, On(args).cuda_stream()>>>(
      At(in), At(args.reads[1]), At(args.writes[0]), Columns(in), args.model->norm_epsilon);
  CheckLaunch("RmsNorm");
  return PARITY_OK;
}

parity_status Attention(const OpArgs& args) {
  const Operand& query = args.reads[0];
  const auto heads = static_cast<unsigned>(Columns(query) / args.reads[1].dims[3]);
  Attend<<<dim3(Rows(query), heads), kWarp, 0, On(args).cuda_stream()>>>(
      At(query), CacheOf(args.reads[1], args.reads[5]), CacheOf(args.reads[2], args.reads[5]),
      At(args.writes[0]), args.reads[3].As<std::int32_t>(), args.reads[4].As<std::int32_t>());
  CheckLaunch("Attention");
  return PARITY_OK;
}

}  // namespace parity::tiny::cuda::fused
