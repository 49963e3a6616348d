// Ops that work row by row: a block for each row.
#include "gtest_parity/engines/tiny/cuda/check.h"
#include "gtest_parity/engines/tiny/cuda/cuda_backend.h"
#include "gtest_parity/engines/tiny/cuda/lanes.cuh"
#include "gtest_parity/engines/tiny/cuda/paged/ops.h"
#include "gtest_parity/engines/tiny/cuda/stored.cuh"

namespace parity::tiny::cuda::paged {
namespace {

constexpr int kThreads = 128;

__global__ void EmbedRow(const std::int32_t* tokens, Stored table, Stored out,
                         std::uint64_t columns) {
  const std::uint64_t from = static_cast<std::uint64_t>(tokens[blockIdx.x]) * columns;
  for (std::uint64_t c = threadIdx.x; c < columns; c += blockDim.x) {
    out.Store(blockIdx.x * columns + c, table.Load(from + c));
  }
}

__global__ void NormRow(Stored in, Stored weight, Stored out, std::uint64_t columns,
                        float epsilon) {
  __shared__ float scale;
  const std::uint64_t row = blockIdx.x * columns;
  if (threadIdx.x == 0) {
    const auto value = [&](std::uint64_t c) { return in.Load(row + c); };
    const float mean = Dot(columns, value, value) / static_cast<float>(columns);
    scale = 1.0f / sqrtf(mean + epsilon);
  }
  __syncthreads();
  for (std::uint64_t c = threadIdx.x; c < columns; c += blockDim.x) {
    out.Store(row + c, in.Load(row + c) * scale * weight.Load(c));
  }
}

__global__ void AddRow(Stored partial, Stored hidden, std::uint64_t columns) {
  for (std::uint64_t c = threadIdx.x; c < columns; c += blockDim.x) {
    const std::uint64_t i = blockIdx.x * columns + c;
    hidden.Store(i, hidden.Load(i) + hidden.Rounded(partial.Load(i)));
  }
}

__global__ void SiluRow(Stored gate, Stored up, Stored out, std::uint64_t columns) {
  for (std::uint64_t c = threadIdx.x; c < columns; c += blockDim.x) {
    const std::uint64_t i = blockIdx.x * columns + c;
    const float g = gate.Load(i);
    out.Store(i, g / (1.0f + expf(-g)) * up.Load(i));
  }
}

__global__ void ArgmaxRow(const float* logits, const std::int32_t* last_row, std::int32_t* next,
                          int columns) {
  const float* row = logits + static_cast<std::uint64_t>(last_row[blockIdx.x]) * columns;
  int best = 0;
  for (int c = 1; c < columns; ++c) {
    if (row[c] > row[best]) best = c;
  }
  next[blockIdx.x] = best;
}

}  // namespace

parity_status Embed(const OpArgs& args) {
  const Operand& out = args.writes[0];
  EmbedRow<<<Rows(out), kThreads, 0, On(args).cuda_stream()>>>(
      args.reads[0].As<std::int32_t>(), At(args.reads[1]), At(out), Columns(out));
  CheckLaunch("Embed");
  return PARITY_OK;
}

parity_status RmsNorm(const OpArgs& args) {
  const Operand& in = args.reads[0];
  NormRow<<<Rows(in), kThreads, 0, On(args).cuda_stream()>>>(
      At(in), At(args.reads[1]), At(args.writes[0]), Columns(in), args.model->norm_epsilon);
  CheckLaunch("RmsNorm");
  return PARITY_OK;
}

parity_status Add(const OpArgs& args) {
  const Operand& hidden = args.updates[0];
  AddRow<<<Rows(hidden), kThreads, 0, On(args).cuda_stream()>>>(At(args.reads[0]), At(hidden),
                                                                Columns(hidden));
  CheckLaunch("Add");
  return PARITY_OK;
}

parity_status SiluMul(const OpArgs& args) {
  const Operand& out = args.writes[0];
  SiluRow<<<Rows(out), kThreads, 0, On(args).cuda_stream()>>>(At(args.reads[0]), At(args.reads[1]),
                                                              At(out), Columns(out));
  CheckLaunch("SiluMul");
  return PARITY_OK;
}

parity_status Argmax(const OpArgs& args) {
  const auto sequences = static_cast<unsigned>(args.writes[0].dims[0]);
  ArgmaxRow<<<sequences, 1, 0, On(args).cuda_stream()>>>(
      args.reads[0].As<float>(), args.reads[1].As<std::int32_t>(),
      args.writes[0].As<std::int32_t>(), static_cast<int>(Columns(args.reads[0])));
  CheckLaunch("Argmax");
  return PARITY_OK;
}

}  // namespace parity::tiny::cuda::paged
