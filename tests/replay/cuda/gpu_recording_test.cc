// A recording in GPU memory, and where there is too little of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/device/gpus.h"
#include "gtest_parity/replay/recording.h"

namespace parity {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Bytes = std::vector<std::uint8_t>;

class GpuRecordingTest : public testing::Test {
 protected:
  GpuRecordingTest() : gpu_(OpenGpu(GpusForRanks(1)[0].uuid)) {}

  // As an engine host maps it.
  PageStore Mapped(const RecordingMemory& memory) {
    std::vector<MappedChunk> chunks;
    const std::vector<ChunkHandle> handles = memory.handles()[0];
    for (const ChunkHandle& chunk : handles) {
      chunks.push_back(chunk.gpu_bytes == 0 ? MapChunk(chunk.fd, true)
                                            : MapGpuChunk(gpu_, chunk, true));
    }
    return PageStore(gpu_, std::move(chunks));
  }

  static Bytes Pattern(std::uint64_t bytes) {
    Bytes data(bytes);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i * 31 >> 3);
    return data;
  }

  std::shared_ptr<Device> gpu_;
};

TEST_F(GpuRecordingTest, SharesWhatDidNotChangeAndReadsEverywhere) {
  if (SharingOf(*gpu_) != GpuSharing::kDescriptor) GTEST_SKIP() << "no export of descriptors";
  const RecordingMemory memory({gpu_}, 4 * kPageBytes, std::nullopt);
  EXPECT_THAT(memory.notes(), IsEmpty());
  PageStore writer = Mapped(memory);
  Bytes data = Pattern(2 * kPageBytes + 100);
  DeviceBytes live;
  live.Resize(*gpu_, data.size());
  gpu_->Put(live.data(), data.data(), data.size());
  const std::optional<Image> first = writer.Keep(live.data(), data.size(), {});
  ASSERT_TRUE(first);
  Bytes changed = data;
  changed[kPageBytes + 1] ^= 1;
  gpu_->Put(live.data(), changed.data(), changed.size());
  const std::optional<Image> second = writer.Keep(live.data(), changed.size(), *first);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->pages[0], first->pages[0]);
  EXPECT_NE(second->pages[1], first->pages[1]);
  EXPECT_EQ(second->pages[2], first->pages[2]);
  gpu_->Synchronize();

  Bytes read(data.size());
  memory.Open()[0].Read(*first, read.data());
  EXPECT_EQ(read, data);
  DeviceBytes on_gpu;
  on_gpu.Resize(*gpu_, changed.size());
  memory.Open()[0].Read(*second, on_gpu.data());
  gpu_->Fetch(read.data(), on_gpu.data(), read.size());
  EXPECT_EQ(read, changed);
}

TEST_F(GpuRecordingTest, WhatTheGpuHasNoRoomForLiesOnTheHost) {
  const std::uint64_t free = MemoryOf(*gpu_).free;
  constexpr std::uint64_t kLeft = kChunkBytes * 3;
  ASSERT_GT(free, 2 * kLeft);
  std::uint8_t* taken = gpu_->Allocate(free - kLeft);
  const RecordingMemory memory({gpu_}, 5 * kChunkBytes, std::nullopt);
  gpu_->Free(taken);
  ASSERT_THAT(memory.notes(), SizeIs(1));
  EXPECT_THAT(
      memory.notes()[0],
      AllOf(HasSubstr("rank 0: "), HasSubstr("of the recording's 5 chunks lie in host memory: "),
            HasSubstr("256 MiB needed, "), HasSubstr(" free")));
  PageStore writer = Mapped(memory);
  const Bytes data = Pattern(4 * kChunkBytes + 3 * kPageBytes);
  DeviceBytes live;
  live.Resize(*gpu_, data.size());
  gpu_->Put(live.data(), data.data(), data.size());
  const std::optional<Image> image = writer.Keep(live.data(), data.size(), {});
  ASSERT_TRUE(image);
  // Nothing changed: every page is shared, those on the host too.
  const std::optional<Image> again = writer.Keep(live.data(), data.size(), *image);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->pages, image->pages);
  Bytes read(data.size());
  memory.Open()[0].Read(*image, read.data());
  EXPECT_TRUE(read == data);
}

TEST_F(GpuRecordingTest, WhatCannotBeSharedToBeReadOnlyIsKnownByItsDigest) {
  RecordingMemory memory({gpu_}, 2 * kPageBytes, std::nullopt, GpuSharing::kIpc);
  EXPECT_THAT(memory.notes(), ElementsAre(HasSubstr("rank 0: the recording is shared by IPC")));
  memory.Seal();
  EXPECT_EQ(memory.Altered(), "");
  PageStore keeper = memory.Open()[0];
  const Bytes pattern = Pattern(100);
  DeviceBytes live;
  live.Resize(*gpu_, pattern.size());
  gpu_->Put(live.data(), pattern.data(), pattern.size());
  ASSERT_TRUE(keeper.Keep(live.data(), pattern.size(), {}));
  EXPECT_THAT(memory.Altered(),
              AllOf(HasSubstr("the recording was written to: chunk 0 of rank 0 on GPU-"),
                    HasSubstr("is not what the reference left")));
}

}  // namespace
}  // namespace parity
