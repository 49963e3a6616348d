// The recording on a GPU, as its keeper and another process share it.
#include "gtest_parity/device/gpu_chunk.h"

#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "gtest_parity/device/gpus.h"
#include "tests/device/cuda/store.h"
#include "tests/gpu_child.h"

namespace parity {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kBytes = 3 * kPageBytes;
constexpr std::uint64_t kAt = kPageBytes + 17;

// Exit statuses of the child.
enum Seen : int { kStored = 0, kOtherBytes = 10, kFaulted = 11, kThrew = 12 };

std::vector<std::uint8_t> Pattern() {
  std::vector<std::uint8_t> bytes(kBytes);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
  return bytes;
}

std::string HexOf(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", byte);
    text += digits;
  }
  return text;
}

class GpuChunkTest : public testing::TestWithParam<GpuSharing> {
 protected:
  GpuChunkTest() : uuid_(GpusForRanks(1)[0].uuid), gpu_(OpenGpu(uuid_)) {}

  void MakeChunk() {
    if (GetParam() == GpuSharing::kDescriptor && SharingOf(*gpu_) != GpuSharing::kDescriptor) {
      GTEST_SKIP() << uuid_ << " exports no descriptors";
    }
    chunk_ = CreateGpuChunk(gpu_, kBytes, GetParam());
    ASSERT_EQ(InChild("fill"), kStored);
  }

  // What another process comes to that maps the chunk to be written ("fill", "store_writable") or
  // read ("store") and does so.
  int InChild(const std::string& what) {
    const ChunkHandle handle = chunk_->handle();
    const std::string fd = std::to_string(handle.fd), bytes = std::to_string(handle.gpu_bytes);
    const std::string ipc = HexOf(handle.ipc);
    const pid_t child = fork();
    if (child == 0) {
      if (handle.fd >= 0) fcntl(handle.fd, F_SETFD, 0);
      execl("/proc/self/exe", "gpu_child", kGpuChild, what.c_str(), uuid_.c_str(), fd.c_str(),
            bytes.c_str(), ipc.c_str(), nullptr);
      _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  std::vector<std::uint8_t> Kept() {
    std::vector<std::uint8_t> bytes(kBytes);
    gpu_->Fetch(bytes.data(), chunk_->mapped().data, bytes.size());
    return bytes;
  }

  std::string uuid_;
  std::shared_ptr<Device> gpu_;
  std::unique_ptr<GpuChunk> chunk_;
};

TEST_P(GpuChunkTest, AnotherProcessWritesWhatTheKeeperReads) {
  MakeChunk();
  if (!chunk_) return;
  EXPECT_EQ(Kept(), Pattern());
}

TEST_P(GpuChunkTest, AStrayStoreOfAReader) {
  MakeChunk();
  if (!chunk_) return;
  const Digest before = gpu_->DigestOf(chunk_->mapped().data, kBytes);
  if (GetParam() == GpuSharing::kDescriptor) {
    EXPECT_EQ(InChild("store"), kFaulted);
    EXPECT_EQ(Kept(), Pattern());
  } else {
    EXPECT_EQ(InChild("store"), kStored);
    EXPECT_FALSE(gpu_->DigestOf(chunk_->mapped().data, kBytes) == before);
  }
}

// That the store above is one that would show.
TEST_P(GpuChunkTest, TheSameStoreOfAWriterIsSeen) {
  MakeChunk();
  if (!chunk_) return;
  EXPECT_EQ(InChild("store_writable"), kStored);
  std::vector<std::uint8_t> expected = Pattern();
  expected[kAt] ^= 0xff;
  EXPECT_EQ(Kept(), expected);
}

INSTANTIATE_TEST_SUITE_P(Shared, GpuChunkTest,
                         testing::Values(GpuSharing::kDescriptor, GpuSharing::kIpc),
                         [](const auto& info) {
                           return info.param == GpuSharing::kDescriptor ? "ByDescriptor" : "ByIpc";
                         });

TEST(GpuChunk, OutOfMemorySaysWhatWasNeededAndFree) {
  const auto gpu = OpenGpu(GpusForRanks(1)[0].uuid);
  const std::uint64_t too_much = MemoryOf(*gpu).total + (std::uint64_t{1} << 30);
  for (const GpuSharing sharing : {GpuSharing::kDescriptor, GpuSharing::kIpc}) {
    try {
      CreateGpuChunk(gpu, too_much, sharing);
      ADD_FAILURE() << "more memory than the GPU has";
    } catch (const DeviceError& error) {
      EXPECT_EQ(error.kind(), DeviceError::Kind::kOutOfMemory);
      EXPECT_THAT(error.what(), HasSubstr("out of memory: "));
      EXPECT_THAT(error.what(), HasSubstr("MiB needed, "));
      EXPECT_THAT(error.what(), HasSubstr("MiB free"));
    }
  }
}

TEST(GpuChunk, AnUnknownUuidNamesThoseThatAreThere) {
  try {
    OpenGpu("GPU-none");
    ADD_FAILURE();
  } catch (const DeviceError& error) {
    EXPECT_THAT(error.what(), HasSubstr("GPU-none is not among the GPUs that this process sees: "));
    EXPECT_THAT(error.what(), HasSubstr(GpusForRanks(1)[0].uuid));
  }
}

}  // namespace

int RunGpuChild(int argc, char** argv) {
  if (argc < 6) return kThrew;
  try {
    const std::string what = argv[2];
    const std::shared_ptr<Device> gpu = OpenGpu(argv[3]);
    ChunkHandle handle(std::atoi(argv[4]));
    handle.gpu_bytes = std::strtoull(argv[5], nullptr, 10);
    for (const char* at = argc > 6 ? argv[6] : ""; at[0] != 0 && at[1] != 0; at += 2) {
      handle.ipc.push_back(static_cast<std::uint8_t>(std::stoi(std::string(at, 2), nullptr, 16)));
    }
    const MappedChunk chunk = MapGpuChunk(gpu, handle, what != "store");
    const std::vector<std::uint8_t> pattern = Pattern();
    if (what == "fill") {
      gpu->Put(chunk.data, pattern.data(), pattern.size());
      return kStored;
    }
    std::vector<std::uint8_t> seen(kBytes);
    gpu->Fetch(seen.data(), chunk.data, kBytes);
    if (seen != pattern) return kOtherBytes;
    const int code = StoreByte(chunk.data + kAt, static_cast<std::uint8_t>(~pattern[kAt]));
    if (code == cudaSuccess) return kStored;
    // A device that is lost says so to whoever asks next.
    try {
      gpu->Synchronize();
    } catch (const DeviceError& error) {
      return error.kind() == DeviceError::Kind::kLost ? kFaulted : kThrew;
    }
    return kThrew;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kThrew;
  }
}

}  // namespace parity
