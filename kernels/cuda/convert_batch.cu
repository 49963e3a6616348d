#include <map>
#include <stdexcept>
#include <string>

#include "kernels/convert_element.h"
#include "kernels/cuda/small_questions.h"
#include "kernels/cuda/warp.cuh"
#include "kernels/dispatch.h"

namespace parity {
namespace {

constexpr std::uint32_t kThreads = 256;
constexpr std::uint32_t kBlocks = 2048;

struct Found {
  unsigned long long count, first;
};

template <typename Format>
__device__ typename Format::Bits LoadOne(const unsigned char* data, std::uint64_t index,
                                         bool aligned) {
  using Bits = typename Format::Bits;
  return aligned ? reinterpret_cast<const Bits*>(data)[index] : LoadBits<Format>(data, index);
}

template <typename From, typename To>
__device__ bool ConvertOne(typename From::Bits bits, typename To::Bits& out) {
  if constexpr (From::kIsFloat) {
    return ConvertFloat<From, To>(bits, out);
  } else {
    return ConvertInteger<From, To>(bits, out);
  }
}

template <typename Bits>
__device__ bool IsAligned(const void* data) {
  return reinterpret_cast<std::uintptr_t>(data) % sizeof(Bits) == 0;
}

template <typename From, typename To>
__global__ void __launch_bounds__(kThreads)
    ConvertKernel(const unsigned char* in, unsigned char* out, std::uint64_t count, Found* found) {
  const bool in_aligned = IsAligned<typename From::Bits>(in);
  const bool out_aligned = IsAligned<typename To::Bits>(out);
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
       i += std::uint64_t{gridDim.x} * kThreads) {
    typename To::Bits converted = 0;
    if (!ConvertOne<From, To>(LoadOne<From>(in, i, in_aligned), converted)) {
      converted = 0;
      atomicAdd(&found->count, 1ull);
      atomicMin(&found->first, static_cast<unsigned long long>(i));
    }
    if (out_aligned) {
      reinterpret_cast<typename To::Bits*>(out)[i] = converted;
    } else {
      StoreBits<To>(out, i, converted);
    }
  }
}

template <typename From, typename To>
void Launch(const ConvertTask& task, Found* found, cudaStream_t stream) {
  const auto needed = (task.count + kThreads - 1) / kThreads;
  const auto blocks = static_cast<std::uint32_t>(needed < kBlocks ? needed : kBlocks);
  ConvertKernel<From, To>
      <<<blocks, kThreads, 0, stream>>>(static_cast<const unsigned char*>(task.in),
                                        static_cast<unsigned char*>(task.out), task.count, found);
  CheckLaunch("ConvertKernel");
}

void LaunchOne(const ConvertTask& task, Found* found, cudaStream_t stream) {
  if (task.count == 0) return;
  if (task.from == task.to) {
    CheckCuda(cudaMemcpyAsync(task.out, task.in, BytesOf(task.from, task.count),
                              cudaMemcpyDeviceToDevice, stream),
              "cudaMemcpyAsync");
  } else if (IsFloat(task.from)) {
    VisitIeeeFormat(task.from, "convert", [&]<typename From>(From) {
      VisitIeeeFormat(task.to, "convert",
                      [&]<typename To>(To) { Launch<From, To>(task, found, stream); });
    });
  } else {
    VisitIntegerFormat(task.from, "Convert", [&]<typename From>(From) {
      VisitIntegerFormat(task.to, "Convert",
                         [&]<typename To>(To) { Launch<From, To>(task, found, stream); });
    });
  }
}

}  // namespace

// A launch for each task: whoever converts has few and large ones.
std::vector<Inexact> Converted(std::span<const ConvertTask> tasks, Scratch& scratch) {
  for (const ConvertTask& task : tasks) {
    if (CanConvert(task.from, task.to)) continue;
    throw std::invalid_argument("Convert: from " + std::string(NameOf(task.from)) + " to " +
                                std::string(NameOf(task.to)));
  }
  if (tasks.empty()) return {};
  const auto found = scratch.Upload(std::vector<Found>(tasks.size(), Found{0, ~0ull}));
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    LaunchOne(tasks[i], found + i, scratch.stream());
  }
  std::vector<Inexact> results;
  for (const Found& one : scratch.Download(found, tasks.size())) {
    results.push_back(one.count == 0 ? Inexact{} : Inexact{one.count, one.first});
  }
  return results;
}

}  // namespace parity
