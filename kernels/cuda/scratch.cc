#include "kernels/cuda/scratch.h"

#include <algorithm>
#include <cstring>

namespace parity {
namespace {

constexpr std::uint64_t kAlignment = 256;
constexpr std::uint64_t kLeastBlock = 1 << 20;

}  // namespace

Scratch::~Scratch() {
  cudaStreamSynchronize(stream_);
  for (const Block& block : blocks_) cudaFree(block.data);
  for (const Stage& stage : uploads_) {
    if (stage.done != nullptr) cudaEventDestroy(stage.done);
    cudaFreeHost(stage.data);
  }
  cudaFreeHost(download_.data);
}

void Scratch::Begin() {
  std::uint64_t total = 0;
  for (Block& block : blocks_) {
    total += block.bytes;
    block.used = 0;
  }
  if (blocks_.size() < 2) return;
  Wait();
  for (const Block& block : blocks_) CheckCuda(cudaFree(block.data), "cudaFree");
  blocks_.clear();
  AllocateBytes(total);
  blocks_[0].used = 0;
}

void* Scratch::AllocateBytes(std::uint64_t bytes) {
  const std::uint64_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (blocks_.empty() || blocks_.back().bytes - blocks_.back().used < rounded) {
    Block block;
    block.bytes = std::max(rounded, kLeastBlock);
    void* data = nullptr;
    CheckCuda(cudaMalloc(&data, block.bytes), "cudaMalloc");
    block.data = static_cast<std::byte*>(data);
    blocks_.push_back(block);
  }
  Block& block = blocks_.back();
  void* data = block.data + block.used;
  block.used += rounded;
  return data;
}

void Scratch::Reserve(Stage& stage, std::uint64_t bytes) {
  if (stage.bytes >= bytes) return;
  CheckCuda(cudaFreeHost(stage.data), "cudaFreeHost");
  stage.data = nullptr;
  stage.bytes = 0;
  const std::uint64_t wanted = std::max<std::uint64_t>(bytes, 1 << 16);
  void* data = nullptr;
  CheckCuda(cudaMallocHost(&data, wanted), "cudaMallocHost");
  stage.data = static_cast<std::byte*>(data);
  stage.bytes = wanted;
}

void Scratch::UploadBytes(const void* from, std::uint64_t bytes, void* to) {
  if (bytes == 0) return;
  Stage& stage = uploads_[next_upload_++ % uploads_.size()];
  if (stage.done == nullptr) {
    CheckCuda(cudaEventCreateWithFlags(&stage.done, cudaEventDisableTiming), "cudaEventCreate");
  } else {
    CheckCuda(cudaEventSynchronize(stage.done), "cudaEventSynchronize");
  }
  Reserve(stage, bytes);
  std::memcpy(stage.data, from, bytes);
  CheckCuda(cudaMemcpyAsync(to, stage.data, bytes, cudaMemcpyHostToDevice, stream_),
            "cudaMemcpyAsync");
  CheckCuda(cudaEventRecord(stage.done, stream_), "cudaEventRecord");
}

void Scratch::DownloadBytes(const void* from, std::uint64_t bytes, void* to) {
  if (bytes != 0) {
    Reserve(download_, bytes);
    CheckCuda(cudaMemcpyAsync(download_.data, from, bytes, cudaMemcpyDeviceToHost, stream_),
              "cudaMemcpyAsync");
  }
  Wait();
  if (bytes != 0) std::memcpy(to, download_.data, bytes);
}

void Scratch::Wait() { CheckCuda(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

}  // namespace parity
