// How a kernel's time is taken on a card whose clock falls under load.
#ifndef GTEST_PARITY_KERNELS_BENCH_BENCH_TIMING_H_
#define GTEST_PARITY_KERNELS_BENCH_BENCH_TIMING_H_

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "kernels/cuda/cuda_error.h"

namespace parity {

class EventTimer {
 public:
  EventTimer() {
    CheckCuda(cudaEventCreate(&begin_), "cudaEventCreate");
    CheckCuda(cudaEventCreate(&end_), "cudaEventCreate");
  }
  ~EventTimer() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  // Of what `work` queues on stream 0.
  double Milliseconds(const std::function<void()>& work) {
    CheckCuda(cudaEventRecord(begin_, nullptr), "cudaEventRecord");
    work();
    CheckCuda(cudaEventRecord(end_, nullptr), "cudaEventRecord");
    CheckCuda(cudaEventSynchronize(end_), "cudaEventSynchronize");
    float milliseconds = 0;
    CheckCuda(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
    return milliseconds;
  }
  double Median(const std::function<void()>& work, int times) {
    std::vector<double> all;
    for (int i = 0; i < times; ++i) all.push_back(Milliseconds(work));
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
  }
  // 0.5 s idle, 2 warm-ups, median of 7.
  double Cool(const std::function<void()>& work) {
    CheckCuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    for (int i = 0; i < 2; ++i) work();
    return Median(work, 7);
  }
  // After 250 ms of the same, median of 15.
  double Sustained(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(250)) {
      Milliseconds(work);
    }
    return Median(work, 15);
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_BENCH_BENCH_TIMING_H_
