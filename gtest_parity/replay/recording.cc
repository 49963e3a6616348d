#include "gtest_parity/replay/recording.h"

#include <algorithm>
#include <utility>

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

}  // namespace

RecordingMemory::RecordingMemory(std::uint32_t ranks, std::uint64_t budget_bytes,
                                 const std::optional<SpillOptions>& spill)
    : chunks_(ranks) {
  const std::vector<std::uint64_t> sizes =
      ChunkSizes(spill ? budget_bytes : std::max<std::uint64_t>(1, budget_bytes));
  in_memory_ = sizes.size();
  for (std::vector<FileDescriptor>& chunks : chunks_) {
    for (const std::uint64_t size : sizes) {
      chunks.push_back(CreateSharedMemory("parity_recording", size));
    }
    if (!spill) continue;
    for (const std::uint64_t size : ChunkSizes(spill->bytes)) {
      chunks.push_back(CreateSpillFile(spill->folder, size));
    }
  }
}

std::uint64_t FirstSpilledPage(std::uint64_t budget_bytes) {
  return ChunkSizes(budget_bytes).size() * kChunkBytes;
}

std::vector<std::vector<int>> RecordingMemory::chunks() const {
  std::vector<std::vector<int>> fds(chunks_.size());
  for (std::size_t rank = 0; rank < chunks_.size(); ++rank) {
    for (const FileDescriptor& chunk : chunks_[rank]) fds[rank].push_back(chunk.get());
  }
  return fds;
}

void RecordingMemory::Seal() {
  for (std::vector<FileDescriptor>& chunks : chunks_) {
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      if (i < in_memory_) {
        SealAgainstWrites(chunks[i].get(), kLastMappingPatience);
      } else {
        chunks[i] = OnlyToRead(std::move(chunks[i]), kLastMappingPatience);
      }
    }
  }
}

bool RecordRequest::Any() const {
  return std::find(spans.begin(), spans.end(), true) != spans.end() || JudgesEndToEnd();
}

bool RecordRequest::JudgesEndToEnd() const {
  return std::any_of(programs.begin(), programs.end(), [](const auto& p) { return p.second; });
}

}  // namespace parity
