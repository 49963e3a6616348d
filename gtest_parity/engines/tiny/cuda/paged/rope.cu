#include "gtest_parity/engines/tiny/cuda/check.h"
#include "gtest_parity/engines/tiny/cuda/cuda_backend.h"
#include "gtest_parity/engines/tiny/cuda/paged/ops.h"
#include "gtest_parity/engines/tiny/cuda/stored.cuh"

namespace parity::tiny::cuda::paged {
namespace {

__global__ void Angles(float* cos_table, float* sin_table, float theta) {
  const std::uint64_t i = threadIdx.x, pairs = blockDim.x, position = blockIdx.x;
  const float exponent = static_cast<float>(i) / static_cast<float>(pairs);
  const float frequency = 1.0f / powf(theta, exponent);
  const float angle = static_cast<float>(position) * frequency;
  cos_table[position * pairs + i] = cosf(angle);
  sin_table[position * pairs + i] = sinf(angle);
}

__global__ void GatherRow(const std::int32_t* positions, const float* from, float* to) {
  const std::uint64_t pairs = blockDim.x;
  to[blockIdx.x * pairs + threadIdx.x] =
      from[static_cast<std::uint64_t>(positions[blockIdx.x]) * pairs + threadIdx.x];
}

// A block for a row's head.
__global__ void Turn(const float* cos_rows, const float* sin_rows, Stored tensor) {
  const std::uint64_t pairs = blockDim.x, i = threadIdx.x, row = blockIdx.x;
  const std::uint64_t low = (row * gridDim.y + blockIdx.y) * 2 * pairs + i, high = low + pairs;
  const float c = cos_rows[row * pairs + i], s = sin_rows[row * pairs + i];
  const float a = tensor.Load(low), b = tensor.Load(high);
  tensor.Store(low, a * c - b * s);
  tensor.Store(high, b * c + a * s);
}

}  // namespace

parity_status RopeTable(const OpArgs& args) {
  const Operand& table = args.writes[0];
  Angles<<<Rows(table), static_cast<unsigned>(Columns(table)), 0, On(args).cuda_stream()>>>(
      table.As<float>(), args.writes[1].As<float>(), args.model->rope_theta);
  CheckLaunch("RopeTable");
  return PARITY_OK;
}

parity_status RopeRows(const OpArgs& args) {
  for (std::size_t table = 0; table < 2; ++table) {
    const Operand& to = args.writes[table];
    GatherRow<<<Rows(to), static_cast<unsigned>(Columns(to)), 0, On(args).cuda_stream()>>>(
        args.reads[0].As<std::int32_t>(), args.reads[1 + table].As<float>(), to.As<float>());
    CheckLaunch("RopeRows");
  }
  return PARITY_OK;
}

parity_status Rope(const OpArgs& args) {
  const auto pairs = static_cast<unsigned>(Columns(args.reads[0]));
  for (const Operand& tensor : args.updates) {
    const dim3 grid(Rows(tensor), static_cast<unsigned>(Columns(tensor)) / (2 * pairs));
    Turn<<<grid, pairs, 0, On(args).cuda_stream()>>>(args.reads[0].As<float>(),
                                                     args.reads[1].As<float>(), At(tensor));
    CheckLaunch("Rope");
  }
  return PARITY_OK;
}

}  // namespace parity::tiny::cuda::paged
