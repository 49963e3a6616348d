// Projections with what follows them: products go to scratch memory, one kernel takes them on.
#include "gtest_parity/engines/tiny/cuda/cache.cuh"
#include "gtest_parity/engines/tiny/cuda/check.h"
#include "gtest_parity/engines/tiny/cuda/cuda_backend.h"
#include "gtest_parity/engines/tiny/cuda/fused/ops.h"

namespace parity::tiny::cuda::fused {
namespace {

struct Rotation {
  const float *cosines, *sines;  // [rows, pairs]
  std::uint32_t pairs;

  // Column `c` of a row of heads, turned.
  __device__ float operator()(const float* row, std::uint32_t at, std::uint32_t c) const {
    const std::uint32_t within = c % (2 * pairs), pair = within % pairs;
    const float cosine = cosines[at * pairs + pair], sine = sines[at * pairs + pair];
    return within < pairs ? row[c] * cosine - row[c + pairs] * sine
                          : row[c] * cosine + row[c - pairs] * sine;
  }
};

// A block for a row.
__global__ void RotateAppend(const float* q, const float* k, const float* v, Stored out,
                             std::uint32_t q_columns, Cache keys, Cache values, Rotation rotate,
                             const std::int32_t* positions, const std::int32_t* row_seq) {
  const std::uint32_t row = blockIdx.x, kv_columns = keys.heads * keys.head_dim;
  for (std::uint32_t c = threadIdx.x; c < q_columns; c += blockDim.x) {
    out.Store(std::uint64_t{row} * q_columns + c, rotate(q + row * q_columns, row, c));
  }
  const auto position = static_cast<std::uint32_t>(positions[row]);
  const std::uint64_t to = keys.At(row_seq[row], position, 0);
  for (std::uint32_t c = threadIdx.x; c < kv_columns; c += blockDim.x) {
    keys.stored.Store(to + c, rotate(k + row * kv_columns, row, c));
    values.stored.Store(to + c, v[row * kv_columns + c]);
  }
}

__global__ void SiluMul(const float* gate, const float* up, Stored out, std::uint64_t count) {
  const std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x;
  if (i < count) out.Store(i, __fdividef(gate[i], 1.0f + __expf(-gate[i])) * up[i]);
}

// x weight^T into scratch `which`, in f32.
const float* Project(const OpArgs& args, const Operand& weight, int which) {
  float* rows = On(args).rows(which);
  On(args).Multiply(args.reads[0], weight,
                    {rows, PARITY_F32, {args.reads[0].dims[0], weight.dims[0]}});
  return rows;
}

}  // namespace

parity_status QkvRopeAppend(const OpArgs& args) {
  const float* q = Project(args, args.reads[1], 0);
  const float* k = Project(args, args.reads[2], 1);
  const float* v = Project(args, args.reads[3], 2);
  const Rotation rotate{args.reads[4].As<float>(), args.reads[5].As<float>(),
                        static_cast<std::uint32_t>(Columns(args.reads[4]))};
  const Operand& out = args.writes[0];
  RotateAppend<<<Rows(out), 128, 0, On(args).cuda_stream()>>>(
      q, k, v, At(out), static_cast<std::uint32_t>(Columns(out)),
      CacheOf(args.updates[0], args.reads[8]), CacheOf(args.updates[1], args.reads[8]), rotate,
      args.reads[6].As<std::int32_t>(), args.reads[7].As<std::int32_t>());
  CheckLaunch("QkvRopeAppend");
  return PARITY_OK;
}

parity_status GateUpSilu(const OpArgs& args) {
  const float* gate = Project(args, args.reads[1], 0);
  const float* up = Project(args, args.reads[2], 1);
  const std::uint64_t count = args.writes[0].Elements();
  SiluMul<<<static_cast<unsigned>((count + 255) / 256), 256, 0, On(args).cuda_stream()>>>(
      gate, up, At(args.writes[0]), count);
  CheckLaunch("GateUpSilu");
  return PARITY_OK;
}

}  // namespace parity::tiny::cuda::fused
