// A GPU answers as the host does.
#include "gtest_parity/device/cuda/cuda_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "gtest_parity/device/gpu_chunk.h"
#include "gtest_parity/device/gpus.h"
#include "gtest_parity/device/host_device.h"
#include "gtest_parity/device/pages.h"

namespace parity {
namespace {

using Bytes = std::vector<std::uint8_t>;
using testing::HasSubstr;

class CudaDeviceTest : public testing::Test {
 protected:
  CudaDeviceTest() : gpu_(OpenGpu(GpusForRanks(1)[0].uuid)) {}

  Bytes Random(std::uint64_t bytes) {
    Bytes data(bytes);
    for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random_());
    return data;
  }
  DeviceBytes Up(const Bytes& data) {
    DeviceBytes bytes;
    bytes.Resize(*gpu_, data.size());
    gpu_->Put(bytes.data(), data.data(), data.size());
    return bytes;
  }
  Bytes Down(const DeviceBytes& bytes) {
    Bytes data(bytes.size());
    gpu_->Fetch(data.data(), bytes.data(), data.size());
    return data;
  }

  std::mt19937 random_{17};
  std::shared_ptr<Device> gpu_;
  HostDevice host_;
};

TEST_F(CudaDeviceTest, CopiesThereAndBack) {
  for (const std::uint64_t bytes : {0, 1, 511, 512, 513, 100003}) {
    const Bytes data = Random(bytes);
    const DeviceBytes up = Up(data);
    DeviceBytes copy;
    copy.Assign(*gpu_, up.data(), up.size());
    EXPECT_EQ(Down(copy), data);
  }
}

TEST_F(CudaDeviceTest, CopiesElementsOfRangesAlone) {
  const std::vector<ElementRun> ranges = {{0, 1}, {3, 4}, {11, 2}, {100, 33}};
  for (const DType dtype : {DType::kF64, DType::kF32, DType::kBF16, DType::kU8, DType::kE2M1}) {
    const Bytes from = Random(BytesOf(dtype, 200)), to = Random(BytesOf(dtype, 200));
    Bytes expected = to;
    host_.CopyElements(dtype, ranges, from.data(), expected.data());
    const DeviceBytes up = Up(from);
    DeviceBytes target = Up(to);
    gpu_->CopyElements(dtype, ranges, up.data(), target.data());
    EXPECT_EQ(Down(target), expected) << NameOf(dtype);
  }
}

TEST_F(CudaDeviceTest, ComparesRangesAsTheHostDoes) {
  const std::vector<ElementRun> ranges = {{0, 7}, {9, 100}, {301, 1699}};
  std::vector<Bytes> arrays;
  std::vector<DeviceBytes> uploaded;
  std::vector<ComparedArrays> on_host, on_gpu;
  const std::vector<DType> dtypes = {DType::kF32, DType::kBF16, DType::kE4M3, DType::kI32,
                                     DType::kBytes};
  arrays.reserve(2 * dtypes.size());
  for (const DType dtype : dtypes) {
    const Bytes& a = arrays.emplace_back(Random(BytesOf(dtype, 2000)));
    Bytes& b = arrays.emplace_back(a);
    for (std::size_t i = 0; i < b.size(); i += 97) b[i] ^= 1;
    uploaded.push_back(Up(a));
    uploaded.push_back(Up(b));
    on_host.push_back({dtype, a.data(), b.data(), ranges});
    on_gpu.push_back({dtype, uploaded[uploaded.size() - 2].data(), uploaded.back().data(), ranges});
  }
  EXPECT_EQ(gpu_->CompareElements(on_gpu), host_.CompareElements(on_host));
}

TEST_F(CudaDeviceTest, FindsWhatWasNotWritten) {
  const ElementBits first = Poison(DType::kF32, PoisonKind::kQuietNaN);
  const ElementBits second = Poison(DType::kF32, PoisonKind::kLargeFinite);
  DeviceBytes a, b;
  a.Resize(*gpu_, 4000);
  b.Resize(*gpu_, 4000);
  gpu_->Fill(DType::kF32, first, a.data(), 1000);
  gpu_->Fill(DType::kF32, second, b.data(), 1000);
  const Bytes written = Random(40);
  for (DeviceBytes* bytes : {&a, &b}) gpu_->Put(bytes->data() + 400, written.data(), 40);
  const std::vector<ElementRun> ranges = {{50, 55}, {500, 10}};
  EXPECT_THAT(gpu_->UnwrittenElements(DType::kF32, a.data(), first, b.data(), second, ranges),
              testing::ElementsAre(ElementRun{50, 50}, ElementRun{500, 10}));
}

TEST_F(CudaDeviceTest, DigestsBlocksAndPages) {
  const Bytes a = Random(3 * kPageBytes + 5);
  Bytes b = a;
  b[kPageBytes + 3] ^= 4;
  const DeviceBytes up_a = Up(a), up_b = Up(b);
  EXPECT_EQ(gpu_->DigestOf(up_a.data(), up_a.size()), host_.DigestOf(a.data(), a.size()));
  EXPECT_EQ(gpu_->ChangedBlocks(up_a.data(), up_b.data(), a.size()),
            host_.ChangedBlocks(a.data(), b.data(), a.size()));
  std::vector<PageCopy> pages;
  for (std::uint64_t at = 0; at < a.size(); at += kPageBytes) {
    const std::uint64_t bytes = std::min(kPageBytes, a.size() - at);
    pages.push_back({up_a.data() + at, const_cast<std::uint8_t*>(up_b.data()) + at, bytes});
    // The recording's page may lie in host memory.
    pages.push_back({up_a.data() + at, b.data() + at, bytes});
  }
  EXPECT_THAT(gpu_->PagesDiffer(pages),
              testing::ElementsAre(false, false, true, true, false, false, false, false));
}

TEST_F(CudaDeviceTest, PagesOfHostAndDeviceMemory) {
  const Bytes on_host = Random(2 * kPageBytes), on_device = Random(2 * kPageBytes);
  const DeviceBytes up = Up(on_device);
  DeviceBytes gathered;
  gathered.Resize(*gpu_, 4 * kPageBytes);
  Bytes down(kPageBytes);
  const PageCopy pages[] = {
      {on_host.data(), gathered.data(), kPageBytes},
      {up.data(), gathered.data() + kPageBytes, 2 * kPageBytes},
      {on_host.data() + kPageBytes, gathered.data() + 3 * kPageBytes, kPageBytes},
      {up.data() + kPageBytes, down.data(), kPageBytes}};
  gpu_->CopyPages(pages);
  Bytes expected(on_host.begin(), on_host.begin() + kPageBytes);
  expected.insert(expected.end(), on_device.begin(), on_device.end());
  expected.insert(expected.end(), on_host.begin() + kPageBytes, on_host.end());
  EXPECT_EQ(Down(gathered), expected);
  EXPECT_EQ(down, Bytes(on_device.begin() + kPageBytes, on_device.end()));
}

TEST_F(CudaDeviceTest, KnowsWhatIsNotItsMemory) {
  DeviceBytes bytes;
  bytes.Resize(*gpu_, 64);
  EXPECT_EQ(gpu_->WhyNotHere(bytes.data(), 64), "");
  const Bytes host(64);
  EXPECT_THAT(gpu_->WhyNotHere(host.data(), 64), HasSubstr("is not in memory that GPU-"));
}

TEST_F(CudaDeviceTest, OutOfMemoryGivesBackWhatItKept) {
  const std::uint64_t most = MemoryOf(*gpu_).free / 4 * 3;
  gpu_->Free(gpu_->Allocate(most));
  gpu_->Free(gpu_->Allocate(most / 8 * 9));  // only without the first
  EXPECT_THROW(gpu_->Allocate(2 * most), DeviceError);
}

}  // namespace
}  // namespace parity
