#include "gtest_parity/replay/recording.h"

#include <algorithm>

namespace parity {

RecordingMemory::RecordingMemory(std::uint32_t ranks, std::uint64_t budget_bytes) {
  const std::uint64_t count =
      std::max<std::uint64_t>(1, (budget_bytes + kChunkBytes - 1) / kChunkBytes);
  chunks_.resize(ranks);
  for (std::vector<FileDescriptor>& chunks : chunks_) {
    for (std::uint64_t i = 0; i < count; ++i) {
      chunks.push_back(CreateSharedMemory("parity_recording", kChunkBytes));
    }
  }
}

std::vector<std::vector<int>> RecordingMemory::chunks() const {
  std::vector<std::vector<int>> fds(chunks_.size());
  for (std::size_t rank = 0; rank < chunks_.size(); ++rank) {
    for (const FileDescriptor& chunk : chunks_[rank]) fds[rank].push_back(chunk.get());
  }
  return fds;
}

void RecordingMemory::Seal() {
  for (const std::vector<FileDescriptor>& chunks : chunks_) {
    for (const FileDescriptor& chunk : chunks) SealAgainstWrites(chunk.get());
  }
}

bool RecordRequest::Any() const {
  return std::find(spans.begin(), spans.end(), true) != spans.end() ||
         std::any_of(programs.begin(), programs.end(), [](const auto& p) { return p.second; });
}

}  // namespace parity
