// Memory that the questions of one stream use again and again.
#ifndef GTEST_PARITY_KERNELS_CUDA_SCRATCH_H_
#define GTEST_PARITY_KERNELS_CUDA_SCRATCH_H_

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/cuda/cuda_error.h"

namespace parity {

// Device memory, handed out from the start again after Begin: what ran before on the stream is done
// with it by then, as the stream keeps order. Grows to what the largest call needed.
class Scratch {
 public:
  explicit Scratch(cudaStream_t stream) : stream_(stream) {}
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  cudaStream_t stream() const { return stream_; }
  void Begin();
  // Room for `count` of T, aligned to 256 bytes; what it holds is undefined.
  template <typename T>
  T* Allocate(std::uint64_t count) {
    return static_cast<T*>(AllocateBytes(count * sizeof(T)));
  }
  template <typename T>
  T* AllocateZeroed(std::uint64_t count) {
    T* data = Allocate<T>(count);
    CheckCuda(cudaMemsetAsync(data, 0, count * sizeof(T), stream_), "cudaMemsetAsync");
    return data;
  }
  // A copy on the device, queued.
  template <typename T>
  T* Upload(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    T* data = Allocate<T>(values.size());
    UploadBytes(values.data(), values.size() * sizeof(T), data);
    return data;
  }
  // Waits for it.
  template <typename T>
  std::vector<T> Download(const T* data, std::uint64_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values(count);
    DownloadBytes(data, count * sizeof(T), values.data());
    return values;
  }
  void Wait();

 private:
  struct Block {
    std::byte* data = nullptr;
    std::uint64_t bytes = 0, used = 0;
  };
  // Page-locked, so that a copy does not wait for the stream; free again after `done`.
  struct Stage {
    std::byte* data = nullptr;
    std::uint64_t bytes = 0;
    cudaEvent_t done = nullptr;
  };

  void* AllocateBytes(std::uint64_t bytes);
  void UploadBytes(const void* from, std::uint64_t bytes, void* to);
  void DownloadBytes(const void* from, std::uint64_t bytes, void* to);
  static void Reserve(Stage& stage, std::uint64_t bytes);

  cudaStream_t stream_;
  std::vector<Block> blocks_;
  std::array<Stage, 4> uploads_;
  std::size_t next_upload_ = 0;
  Stage download_;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_SCRATCH_H_
