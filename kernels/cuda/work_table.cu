#include <stdexcept>

#include "kernels/cuda/work_table.h"

namespace parity {
namespace {

constexpr std::uint32_t kThreads = 256;

__global__ void FillTable(const std::uint32_t* firsts, std::uint32_t tasks, std::uint32_t pieces,
                          std::uint32_t* table) {
  const std::uint32_t piece = blockIdx.x * kThreads + threadIdx.x;
  if (piece >= pieces) return;
  std::uint32_t low = 0, high = tasks;
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (firsts[middle] <= piece ? low : high) = middle;
  }
  table[piece] = low;
}

}  // namespace

std::uint32_t* MakeWorkTable(const std::vector<std::uint32_t>& firsts, std::uint64_t pieces,
                             Scratch& scratch) {
  if (pieces > 0xffff0000u) throw std::invalid_argument("a batch of too many pieces, over 2^32");
  auto* table = scratch.Allocate<std::uint32_t>(pieces);
  if (pieces == 0) return table;
  const std::uint32_t* on_device = scratch.Upload(firsts);
  const auto count = static_cast<std::uint32_t>(pieces);
  FillTable<<<(count + kThreads - 1) / kThreads, kThreads, 0, scratch.stream()>>>(
      on_device, static_cast<std::uint32_t>(firsts.size()), count, table);
  CheckLaunch("FillTable");
  return table;
}

}  // namespace parity
