// The questions about bytes and elements that are not comparisons, on the device and on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "kernels/cuda/cuda_kernels.h"
#include "kernels/dispatch.h"
#include "tests/kernels/device_array.h"
#include "tests/kernels/reference.h"

namespace parity {
namespace {

constexpr std::uint64_t kSizes[] = {0,   1,   3,    15,   16,   17,    63,    64,     65,
                                    100, 511, 4095, 4096, 4097, 32768, 32769, 100000, 300001};
constexpr std::uint32_t kRemainders[][2] = {{0, 0}, {1, 0}, {0, 3}, {5, 5}, {8, 4}, {13, 16}};

Buffer RandomBytes(std::uint64_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Buffer bytes(size);
  for (auto& byte : bytes) byte = static_cast<unsigned char>(random());
  return bytes;
}

Buffer RandomElements(DType dtype, std::uint64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> elements;
  for (std::uint64_t i = 0; i < count; ++i) elements.push_back(RandomElement(dtype, random));
  return Pack(dtype, elements);
}

TEST(ChangedCuda, AsTheHost) {
  CudaKernels kernels(nullptr);
  std::vector<DeviceArray> arrays;
  std::vector<ChangedTask> tasks;
  std::vector<std::vector<std::uint64_t>> expected;
  std::mt19937_64 random(3);
  for (const std::uint64_t size : kSizes) {
    for (const auto& [at_a, at_b] : kRemainders) {
      for (const unsigned every : {0u, 1u, 700u, 50000u}) {
        const Buffer a = RandomBytes(size, size);
        Buffer b = a;
        for (std::uint64_t i = 0; every != 0 && i < size; i += 1 + random() % every) b[i] ^= 0x10;
        arrays.emplace_back(a, at_a);
        arrays.emplace_back(b, at_b);
        tasks.push_back({arrays[arrays.size() - 2].data(), arrays.back().data(), size});
        expected.push_back(ChangedBlocks(a.data(), b.data(), size));
      }
    }
  }
  EXPECT_EQ(kernels.ChangedBlocks(tasks), expected);
  const auto differ = kernels.Differ(tasks);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const bool any = std::any_of(expected[i].begin(), expected[i].end(), [](auto w) { return w; });
    EXPECT_EQ(differ[i], any ? 1 : 0) << i;
  }
}

TEST(DigestCuda, AsTheHost) {
  CudaKernels kernels(nullptr);
  std::vector<DeviceArray> arrays;
  std::vector<DigestTask> tasks;
  std::vector<Digest> expected;
  for (const std::uint64_t size : kSizes) {
    for (const std::uint32_t at : {0, 1, 6, 8}) {
      const Buffer bytes = RandomBytes(size, size + at);
      arrays.emplace_back(bytes, at);
      tasks.push_back({arrays.back().data(), size});
      expected.push_back(DigestOf(bytes.data(), size));
    }
  }
  EXPECT_TRUE(kernels.DigestOf(tasks) == expected);
}

class DTypesCuda : public testing::TestWithParam<DType> {};

TEST_P(DTypesCuda, UnwrittenAsTheHost) {
  const DType dtype = GetParam();
  const ElementBits first = Poison(dtype, PoisonKind::kQuietNaN);
  const ElementBits second = Poison(dtype, PoisonKind::kLargeFinite);
  CudaKernels kernels(nullptr);
  std::vector<DeviceArray> arrays;
  std::vector<UnwrittenTask> tasks;
  std::vector<std::vector<ElementRun>> expected;
  std::mt19937_64 random(9);
  for (const std::uint64_t count : {0, 1, 2, 31, 32, 33, 64, 1000, 40000, 70001}) {
    for (const std::uint64_t hole : {0, 1, 3, 5000}) {  // 0: nothing was written
      for (const std::uint64_t from : {0, 1, 7}) {
        std::vector<std::uint64_t> a(count + from, first), b(count + from, second);
        for (std::uint64_t i = 0; hole != 0 && i < a.size(); i += 1 + random() % hole) {
          (random() % 2 == 0 ? a : b)[i] ^= 1;
        }
        const Buffer data1 = Pack(dtype, a), data2 = Pack(dtype, b);
        arrays.emplace_back(data1, from % 3);
        arrays.emplace_back(data2, 0);
        tasks.push_back({dtype, arrays[arrays.size() - 2].data(), first, arrays.back().data(),
                         second, count, from});
        expected.push_back(
            UnwrittenElements(dtype, data1.data(), first, data2.data(), second, count, from));
      }
    }
  }
  EXPECT_EQ(kernels.UnwrittenElements(tasks), expected);
}

TEST_P(DTypesCuda, FillsWhatTheHostFills) {
  const DType dtype = GetParam();
  CudaKernels kernels(nullptr);
  for (const std::uint64_t count : {0, 1, 2, 7, 16, 17, 33, 1001, 50001}) {
    for (const std::uint32_t at : {0, 1, 2, 3, 5, 15}) {
      Buffer bytes = RandomBytes(BytesOf(dtype, count) + 40, count);
      const DeviceArray array(bytes, at);
      const ElementBits pattern = Poison(dtype, PoisonKind::kLargeFinite);
      const std::vector<FillTask> tasks = {
          {dtype, pattern, static_cast<unsigned char*>(array.data()) + 20, count}};
      kernels.FillPoison(tasks);
      kernels.Wait();
      FillPoison(dtype, pattern, bytes.data() + 20, count);
      ASSERT_EQ(array.Bytes(), bytes) << count << " at +" << at;
    }
  }
}

TEST_P(DTypesCuda, OutsideAsTheHost) {
  const DType dtype = GetParam();
  CudaKernels kernels(nullptr);
  std::vector<DeviceArray> arrays;
  std::vector<DomainTask> tasks;
  std::vector<OutsideRange> expected;
  for (const std::uint64_t count : {0, 1, 5, 100, 5000, 70001}) {
    for (const ValueRange& range : {ValueRange{0, 1}, ValueRange{-HUGE_VAL, HUGE_VAL},
                                    ValueRange{-100.5, 100.5}, ValueRange{1e300, 1e301}}) {
      const Buffer data = RandomElements(dtype, count, count + 1);
      arrays.emplace_back(data, static_cast<std::uint32_t>(count % 5));
      tasks.push_back({dtype, arrays.back().data(), count, range});
      if (dtype != DType::kBytes) {
        expected.push_back(CountOutside(dtype, data.data(), count, range));
      }
    }
  }
  if (dtype == DType::kBytes) {
    EXPECT_THROW(kernels.CountOutside(tasks), std::invalid_argument);
    return;
  }
  const auto got = kernels.CountOutside(tasks);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    EXPECT_EQ(got[i].count, expected[i].count) << i;
    EXPECT_EQ(got[i].first_index, expected[i].first_index) << i;
    const bool nan = std::isnan(expected[i].first_value) && std::isnan(got[i].first_value);
    EXPECT_TRUE(nan || got[i].first_value == expected[i].first_value) << i;
  }
}

TEST_P(DTypesCuda, ConvertsAsTheHost) {
  CudaKernels kernels(nullptr);
  const DType from = GetParam();
  for (const DType to : AllDTypes()) {
    if (!CanConvert(from, to)) {
      const std::vector<ConvertTask> refused = {{from, nullptr, to, nullptr, 1}};
      EXPECT_THROW(kernels.Convert(refused), std::invalid_argument);
      continue;
    }
    for (const std::uint64_t count : {0, 1, 1000, 40001}) {
      const Buffer in = RandomElements(from, count, count);
      Buffer out(BytesOf(to, count));
      const Inexact expected = Convert(from, in.data(), to, out.data(), count);
      const DeviceArray source(in, 1), target(Buffer(out.size()), 3);
      const std::vector<ConvertTask> tasks = {{from, source.data(), to, target.data(), count}};
      const auto got = kernels.Convert(tasks);
      EXPECT_EQ(got[0].count, expected.count);
      EXPECT_EQ(got[0].first_index, expected.first_index);
      ASSERT_EQ(target.Bytes(), out) << NameOf(from) << " to " << NameOf(to);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(DTypes, DTypesCuda, testing::ValuesIn(AllDTypes()),
                         [](const auto& test) { return TestNameOf(test.param); });

TEST(CopyCuda, AnyAlignmentAndNothingElse) {
  CudaKernels kernels(nullptr);
  std::vector<DeviceArray> from, to;
  std::vector<CopyTask> tasks;
  std::vector<Buffer> expected;
  for (const std::uint64_t size : kSizes) {
    for (const auto& [at_a, at_b] : kRemainders) {
      const Buffer source = RandomBytes(size, size + at_a);
      Buffer target = RandomBytes(size + 33, size);
      from.emplace_back(source, at_a);
      to.emplace_back(target, at_b);
      tasks.push_back(
          {from.back().data(), static_cast<unsigned char*>(to.back().data()) + 16, size});
      std::copy(source.begin(), source.end(), target.begin() + 16);
      expected.push_back(target);
    }
  }
  kernels.CopyBytes(tasks);
  kernels.Wait();
  for (std::size_t i = 0; i < to.size(); ++i) ASSERT_EQ(to[i].Bytes(), expected[i]) << i;
}

// Pages that lie end to end on both sides, then on one, then apart.
TEST(CopyCuda, PagesInOrderAndScattered) {
  constexpr std::uint64_t kPage = 65536, kPages = 50;
  CudaKernels kernels(nullptr);
  const Buffer source = RandomBytes(kPages * kPage, 3);
  const DeviceArray from(source, 0);
  for (const std::uint64_t step : {1, 7, 49}) {
    for (const std::uint64_t bytes : {kPage, kPage - 16, kPage - 3}) {
      SCOPED_TRACE(std::to_string(bytes) + " bytes of every page, " + std::to_string(step));
      Buffer expected = RandomBytes(kPages * kPage, 4);
      const DeviceArray to(expected, 0);
      std::vector<CopyTask> tasks;
      for (std::uint64_t i = 0; i < kPages; ++i) {
        const std::uint64_t page = i * step % kPages;
        const auto at = static_cast<std::ptrdiff_t>(page * kPage);
        tasks.push_back({static_cast<const unsigned char*>(from.data()) + at,
                         static_cast<unsigned char*>(to.data()) + i * kPage, bytes});
        std::copy_n(source.begin() + at, bytes,
                    expected.begin() + static_cast<std::ptrdiff_t>(i * kPage));
      }
      kernels.CopyBytes(tasks);
      kernels.Wait();
      ASSERT_EQ(to.Bytes(), expected);
    }
  }
}

TEST(StridedCuda, GathersAndScattersAsTheHost) {
  CudaKernels kernels(nullptr);
  const std::vector<StridedLayout> layouts = {{0, {{6, 1}}},
                                              {3, {{4, 10}, {5, 2}}},
                                              {1, {{2, 100}, {3, 16}, {16, 1}}},
                                              {0, {{7, 1}, {9, 7}}},
                                              {5, {{1, 3}, {2, 64}, {1, 9}, {8, 8}, {8, 1}}},
                                              {0, {{3, 40}, {0, 1}}}};
  for (const StridedLayout& layout : layouts) {
    for (const std::uint32_t width : {1u, 2u, 3u, 4u, 8u, 16u}) {
      for (const std::uint32_t at : {0u, 1u, 4u}) {
        const Buffer strided = RandomBytes(512 * width, width);
        Buffer dense(layout.Elements() * width), back = RandomBytes(512 * width, 99);
        const DeviceArray in(strided, at), out(dense, 0), scattered(back, at);
        Gather(layout, width, strided.data(), dense.data());
        kernels.Gather(layout, width, in.data(), out.data());
        kernels.Wait();
        ASSERT_EQ(out.Bytes(), dense);
        Scatter(layout, width, dense.data(), back.data());
        kernels.Scatter(layout, width, out.data(), scattered.data());
        kernels.Wait();
        ASSERT_EQ(scattered.Bytes(), back);
      }
    }
  }
}

TEST(StridedCuda, RefusesMoreAxesThanItHas) {
  StridedLayout layout;
  for (std::uint64_t i = 0; i < 9; ++i) layout.axes.push_back({2, 1000 - 7 * i});
  CudaKernels kernels(nullptr);
  EXPECT_THROW(kernels.Gather(layout, 1, nullptr, nullptr), std::invalid_argument);
}

TEST(DecisionsCuda, AsTheHost) {
  CudaKernels kernels(nullptr);
  std::vector<DeviceArray> arrays;
  std::vector<DecisionsTask> tasks;
  std::vector<DecisionStats> expected;
  std::mt19937_64 random(4);
  for (const DType dtype :
       {DType::kI8, DType::kU8, DType::kI16, DType::kI32, DType::kI64, DType::kU64}) {
    for (const DType scored : {DType::kF32, DType::kBF16, DType::kF64, DType::kE4M3}) {
      for (const unsigned every : {1u, 90u, 100000u}) {
        const std::uint64_t rows = 300, per_row = 4, columns = 16;
        std::vector<std::uint64_t> a, b;
        for (std::uint64_t i = 0; i < rows * per_row; ++i) {
          a.push_back(random() % 18);  // some are none of the columns
          b.push_back(random() % every == 0 ? random() % 18 : a.back());
        }
        const Buffer x = Pack(dtype, a), y = Pack(dtype, b);
        const Buffer scores = RandomElements(scored, rows * columns, every);
        arrays.emplace_back(x, 1);
        arrays.emplace_back(y, 0);
        arrays.emplace_back(scores, 2);
        DecisionScores host = {scored, scores.data(), rows, columns}, device = host;
        device.data = arrays.back().data();
        if (every == 90) host.data = device.data = nullptr;
        tasks.push_back({dtype, arrays[arrays.size() - 3].data(), arrays[arrays.size() - 2].data(),
                         a.size(), device});
        expected.push_back(CompareDecisions(dtype, x.data(), y.data(), a.size(), host));
      }
    }
  }
  EXPECT_EQ(kernels.CompareDecisions(tasks), expected);
  tasks[0].dtype = DType::kF32;
  EXPECT_THROW(kernels.CompareDecisions(tasks), std::invalid_argument);
}

// More of them than the first list has room for.
TEST(DecisionsCuda, ManyFlips) {
  const Buffer a = RandomBytes(40000, 1), b = RandomBytes(40000, 2);
  const DeviceArray x(a, 0), y(b, 0);
  const std::vector<DecisionsTask> tasks = {{DType::kI16, x.data(), y.data(), 20000, {}}};
  const auto expected = CompareDecisions(DType::kI16, a.data(), b.data(), 20000, {});
  EXPECT_EQ(CudaKernels(nullptr).CompareDecisions(tasks)[0], expected);
}

TEST(CudaErrors, SaysWhatFailed) {
  try {
    CheckCuda(cudaErrorIllegalAddress, "cudaMemcpyAsync");
    FAIL();
  } catch (const CudaError& error) {
    EXPECT_STREQ(error.what(),
                 "cudaMemcpyAsync: an illegal memory access was encountered "
                 "(cudaErrorIllegalAddress)");
    EXPECT_TRUE(error.sticky());
  }
  EXPECT_FALSE(CudaError("cudaMalloc", cudaErrorMemoryAllocation).sticky());
}

}  // namespace
}  // namespace parity
