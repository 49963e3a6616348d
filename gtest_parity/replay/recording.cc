#include "gtest_parity/replay/recording.h"

#include <algorithm>
#include <utility>

#include "gtest_parity/device/host_device.h"
#include "gtest_parity/device/last_mapping.h"
#include "gtest_parity/device/spill_file.h"

namespace parity {

namespace {

// Sizes of the chunks that `bytes` bytes come to.
std::vector<std::uint64_t> ChunkSizes(std::uint64_t bytes) {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t at = 0; at < bytes; at += kChunkBytes) {
    const std::uint64_t left = (bytes - at + kPageBytes - 1) / kPageBytes * kPageBytes;
    sizes.push_back(std::min(kChunkBytes, left));
  }
  return sizes;
}

// Of what lies in memory.
std::vector<std::uint64_t> BudgetSizes(std::uint64_t budget_bytes,
                                       const std::optional<SpillOptions>& spill) {
  return ChunkSizes(spill ? budget_bytes : std::max<std::uint64_t>(1, budget_bytes));
}

}  // namespace

RecordingMemory::RecordingMemory(std::uint32_t ranks, std::uint64_t budget_bytes,
                                 const std::optional<SpillOptions>& spill)
    : chunks_(ranks) {
  const std::vector<std::uint64_t> sizes = BudgetSizes(budget_bytes, spill);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    AddHostChunks(rank, sizes);
    if (spill) AddSpill(rank, *spill);
  }
}

RecordingMemory::RecordingMemory(const std::vector<std::shared_ptr<Device>>& gpus,
                                 std::uint64_t budget_bytes,
                                 const std::optional<SpillOptions>& spill,
                                 std::optional<GpuSharing> sharing)
    : chunks_(gpus.size()), gpus_(gpus) {
  const std::vector<std::uint64_t> sizes = BudgetSizes(budget_bytes, spill);
  for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
    AddGpuChunks(rank, sizes, sharing ? *sharing : SharingOf(*gpus[rank]));
    if (!chunks_[rank].empty() && chunks_[rank][0].gpu && chunks_[rank][0].gpu->handle().fd < 0) {
      notes_.push_back("rank " + std::to_string(rank) +
                       ": the recording is shared by IPC, so that the candidate could write it; "
                       "its digests are held against it before every verdict");
    }
    if (spill) AddSpill(rank, *spill);
  }
}

void RecordingMemory::AddHostChunks(std::size_t rank, const std::vector<std::uint64_t>& sizes) {
  for (const std::uint64_t size : sizes) {
    chunks_[rank].emplace_back().fd = CreateSharedMemory("parity_recording", size);
  }
}

void RecordingMemory::AddGpuChunks(std::size_t rank, const std::vector<std::uint64_t>& sizes,
                                   GpuSharing sharing) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    try {
      // In this order: a chunk that could not be made leaves nothing behind.
      auto chunk = CreateGpuChunk(gpus_[rank], sizes[i], sharing);
      chunks_[rank].emplace_back().gpu = std::move(chunk);
    } catch (const DeviceError& error) {
      if (error.kind() == DeviceError::Kind::kFailed && sharing == GpuSharing::kDescriptor &&
          i == 0) {
        notes_.push_back("rank " + std::to_string(rank) +
                         ": no descriptor of its recording can be exported: " + error.what());
        return AddGpuChunks(rank, sizes, GpuSharing::kIpc);
      }
      if (error.kind() != DeviceError::Kind::kOutOfMemory) throw;
      AddHostChunks(rank, {sizes.begin() + static_cast<std::ptrdiff_t>(i), sizes.end()});
      notes_.push_back("rank " + std::to_string(rank) + ": " + std::to_string(sizes.size() - i) +
                       " of the recording's " + std::to_string(sizes.size()) +
                       " chunks lie in host memory: " + error.what());
      return;
    }
  }
}

void RecordingMemory::AddSpill(std::size_t rank, const SpillOptions& spill) {
  for (const std::uint64_t size : ChunkSizes(spill.bytes)) {
    Chunk& chunk = chunks_[rank].emplace_back();
    chunk.fd = CreateSpillFile(spill.folder, size);
    chunk.spilled = true;
  }
}

std::uint64_t FirstSpilledPage(std::uint64_t budget_bytes) {
  return ChunkSizes(budget_bytes).size() * kChunkBytes;
}

std::vector<std::vector<ChunkHandle>> RecordingMemory::handles() const {
  std::vector<std::vector<ChunkHandle>> handles(chunks_.size());
  for (std::size_t rank = 0; rank < chunks_.size(); ++rank) {
    for (const Chunk& chunk : chunks_[rank]) {
      handles[rank].push_back(chunk.gpu ? chunk.gpu->handle() : ChunkHandle(chunk.fd.get()));
    }
  }
  return handles;
}

std::vector<std::vector<int>> RecordingMemory::chunks() const {
  std::vector<std::vector<int>> fds(chunks_.size());
  for (std::size_t rank = 0; rank < chunks_.size(); ++rank) {
    for (const Chunk& chunk : chunks_[rank]) fds[rank].push_back(chunk.fd.get());
  }
  return fds;
}

std::vector<PageStore> RecordingMemory::Open() const {
  std::vector<PageStore> stores;
  for (std::size_t rank = 0; rank < chunks_.size(); ++rank) {
    std::vector<MappedChunk> mapped;
    for (const Chunk& chunk : chunks_[rank]) {
      mapped.push_back(chunk.gpu ? chunk.gpu->mapped() : MapChunk(chunk.fd.get(), false));
    }
    stores.emplace_back(gpus_.empty() ? std::make_shared<HostDevice>() : gpus_[rank],
                        std::move(mapped));
  }
  return stores;
}

void RecordingMemory::Seal() {
  for (std::size_t rank = 0; rank < chunks_.size(); ++rank) {
    for (Chunk& chunk : chunks_[rank]) {
      if (chunk.gpu) {
        const MappedChunk& mapped = chunk.gpu->mapped();
        const bool writable = chunk.gpu->handle().fd < 0;
        if (writable) chunk.sealed = gpus_[rank]->DigestOf(mapped.data, mapped.bytes);
      } else if (chunk.spilled) {
        chunk.fd = OnlyToRead(std::move(chunk.fd), kLastMappingPatience);
      } else {
        SealAgainstWrites(chunk.fd.get(), kLastMappingPatience);
      }
    }
  }
}

std::string RecordingMemory::Altered() const {
  for (std::size_t rank = 0; rank < chunks_.size(); ++rank) {
    for (std::size_t i = 0; i < chunks_[rank].size(); ++i) {
      const Chunk& chunk = chunks_[rank][i];
      if (!chunk.sealed) continue;
      const MappedChunk& mapped = chunk.gpu->mapped();
      if (gpus_[rank]->DigestOf(mapped.data, mapped.bytes) == *chunk.sealed) continue;
      return "the recording was written to: chunk " + std::to_string(i) + " of rank " +
             std::to_string(rank) + " on " + gpus_[rank]->Name() +
             " is not what the reference left (it cannot be shared so that others only read it)";
    }
  }
  return "";
}

bool RecordRequest::Any() const {
  return std::find(spans.begin(), spans.end(), true) != spans.end() || JudgesEndToEnd();
}

bool RecordRequest::JudgesEndToEnd() const {
  return std::any_of(programs.begin(), programs.end(), [](const auto& p) { return p.second; });
}

}  // namespace parity
