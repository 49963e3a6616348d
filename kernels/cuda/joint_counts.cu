#include "kernels/cuda/joint_counts.h"

#include "kernels/cuda/joint_count_kernels.cuh"
#include "kernels/cuda/joint_fact_kernels.cuh"

namespace parity {
namespace {

using namespace joint;

__global__ void PlaceKernel(const JointTotals* totals, const Sought* sought, ElementStats* result) {
  if (sought[1].nan) result->worst_index = ~totals->place;
}

template <typename Format>
class JointLaunch : public ElementLaunch {
 public:
  JointLaunch(const ElementWork& work, ElementStats* results, Scratch& scratch)
      : stream_(scratch.stream()), result_(results + work.result) {
    int device = 0;
    CheckCuda(cudaGetDevice(&device), "cudaGetDevice");
    CheckCuda(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device),
              "cudaDeviceGetAttribute");
    CheckCuda(cudaFuncSetAttribute(CountKernel<Format>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   kSharedBytes),
              "cudaFuncSetAttribute");
    batch_ = {work.a, work.b, work.count, scratch.Allocate<JointTotals>(1)};
    sought_ = scratch.Allocate<Sought>(2);
  }

  void Launch() override {
    CheckCuda(cudaMemsetAsync(batch_.totals, 0, sizeof(JointTotals), stream_), "cudaMemsetAsync");
    const auto blocks = static_cast<std::uint32_t>(processors_);
    for (std::uint32_t pass = 0; pass < kPasses<Format>; ++pass) {
      CountKernel<Format><<<blocks, kThreads, kSharedBytes, stream_>>>(batch_, pass);
      CheckLaunch("CountKernel");
    }
    RestKernel<Format><<<1, 16, 0, stream_>>>(batch_);
    CheckLaunch("RestKernel");
    DeriveKernel<Format><<<1, kThreads, 0, stream_>>>(batch_, result_, sought_);
    CheckLaunch("DeriveKernel");
    SearchKernel<Format><<<blocks, kThreads, 0, stream_>>>(batch_, sought_);
    CheckLaunch("SearchKernel");
    PlaceKernel<<<1, 1, 0, stream_>>>(batch_.totals, sought_, result_);
    CheckLaunch("PlaceKernel");
  }

 private:
  static constexpr int kSharedBytes = kPairs * sizeof(std::uint32_t);

  cudaStream_t stream_;
  ElementStats* result_;
  JointBatch batch_ = {};
  Sought* sought_ = nullptr;
  int processors_ = 0;
};

}  // namespace

#define PARITY_JOINT_LAUNCH(Format)                                       \
  template <>                                                             \
  std::unique_ptr<ElementLaunch> MakeJointLaunch<Format>(                 \
      const ElementWork& work, ElementStats* results, Scratch& scratch) { \
    return std::make_unique<JointLaunch<Format>>(work, results, scratch); \
  }

PARITY_JOINT_LAUNCH(E4M3)
PARITY_JOINT_LAUNCH(E5M2)
PARITY_JOINT_LAUNCH(IntegerFormat<std::int8_t>)
PARITY_JOINT_LAUNCH(IntegerFormat<std::uint8_t>)

}  // namespace parity
