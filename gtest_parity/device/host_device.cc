#include "gtest_parity/device/host_device.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <memory>

#include "kernels/changed.h"

namespace parity {

std::uint8_t* HostDevice::Allocate(std::uint64_t bytes) { return new std::uint8_t[bytes]; }

void HostDevice::Free(std::uint8_t* data) noexcept { delete[] data; }

void HostDevice::Copy(void* to, const void* from, std::uint64_t bytes) {
  if (bytes != 0) std::memcpy(to, from, bytes);
}

void HostDevice::CopyElements(DType dtype, std::span<const ElementRun> ranges, const void* from,
                              void* to) {
  const auto* source = static_cast<const std::uint8_t*>(from);
  auto* target = static_cast<std::uint8_t*>(to);
  for (const ElementRun& range : ranges) {
    if (BitsOf(dtype) >= 8) {
      const std::uint64_t offset = BytesOf(dtype, range.first);
      Copy(target + offset, source + offset, BytesOf(dtype, range.count));
      continue;
    }
    for (std::uint64_t i = range.first; i < range.first + range.count; ++i) {
      const unsigned mask = i % 2 == 0 ? 0x0f : 0xf0;
      target[i / 2] = static_cast<std::uint8_t>((target[i / 2] & ~mask) | (source[i / 2] & mask));
    }
  }
}

void HostDevice::Fill(DType dtype, ElementBits pattern, void* data, std::uint64_t count) {
  FillPoison(dtype, pattern, data, count);
}

void HostDevice::Gather(const StridedLayout& layout, std::uint32_t element_bytes,
                        const void* strided, void* dense) {
  parity::Gather(layout, element_bytes, strided, dense);
}

void HostDevice::Scatter(const StridedLayout& layout, std::uint32_t element_bytes,
                         const void* dense, void* strided) {
  parity::Scatter(layout, element_bytes, dense, strided);
}

Inexact HostDevice::Convert(DType from, const void* in, DType to, void* out, std::uint64_t count) {
  return parity::Convert(from, in, to, out, count);
}

void HostDevice::CopyPages(std::span<const PageCopy> pages) {
  for (const PageCopy& page : pages) Copy(page.to, page.from, page.bytes);
}

std::vector<bool> HostDevice::PagesDiffer(std::span<const PageCopy> pages) {
  std::vector<bool> differ;
  for (const PageCopy& page : pages) {
    differ.push_back(page.bytes != 0 && std::memcmp(page.to, page.from, page.bytes) != 0);
  }
  return differ;
}

std::vector<ElementStats> HostDevice::CompareElements(std::span<const ComparedArrays> pairs) {
  std::vector<ElementStats> all;
  for (const auto& [dtype, a, b, ranges] : pairs) {
    ElementStats& stats = all.emplace_back();
    for (const ElementRun& range : ranges) {
      stats.Merge(parity::CompareElements(dtype, a, b, range.count, range.first), range.first);
    }
  }
  return all;
}

std::vector<RowStats> HostDevice::CompareRows(DType dtype, std::uint32_t columns,
                                              std::uint64_t rows, const void* a, const void* b) {
  return parity::CompareRows(dtype, columns, rows, a, b);
}

DecisionStats HostDevice::CompareDecisions(DType dtype, const void* a, const void* b,
                                           std::uint64_t count, const DecisionScores& scores) {
  return parity::CompareDecisions(dtype, a, b, count, scores);
}

std::vector<std::uint64_t> HostDevice::ChangedBlocks(const void* a, const void* b,
                                                     std::uint64_t bytes) {
  return parity::ChangedBlocks(a, b, bytes);
}

std::vector<ElementRun> HostDevice::UnwrittenElements(DType dtype, const void* a,
                                                      ElementBits pattern_a, const void* b,
                                                      ElementBits pattern_b,
                                                      std::span<const ElementRun> ranges) {
  std::vector<ElementRun> unwritten;
  for (const ElementRun& range : ranges) {
    for (const ElementRun& run :
         parity::UnwrittenElements(dtype, a, pattern_a, b, pattern_b, range.count, range.first)) {
      unwritten.push_back({range.first + run.first, run.count});
    }
  }
  return unwritten;
}

OutsideRange HostDevice::CountOutside(DType dtype, const void* data, std::uint64_t count,
                                      const ValueRange& range) {
  return parity::CountOutside(dtype, data, count, range);
}

std::vector<Digest> HostDevice::DigestsOf(std::span<const DigestTask> tasks) {
  std::vector<Digest> digests;
  digests.reserve(tasks.size());
  for (const DigestTask& task : tasks) digests.push_back(parity::DigestOf(task.data, task.bytes));
  return digests;
}

CopyTime HostDevice::MeasureCopy() {
  using Clock = std::chrono::steady_clock;
  constexpr std::uint64_t kBytes = std::uint64_t{64} << 20;
  constexpr int kCopies = 3;  // the first also maps the pages
  const auto from = std::make_unique<std::uint8_t[]>(kBytes);
  const std::unique_ptr<std::uint8_t[]> to(new std::uint8_t[kBytes]);
  CopyTime best{kBytes, std::numeric_limits<double>::infinity()};
  for (int copy = 0; copy < kCopies; ++copy) {
    from[static_cast<std::size_t>(copy)] = 1;  // no copy is like the one before it
    const Clock::time_point begin = Clock::now();
    std::memcpy(to.get(), from.get(), kBytes);
    best.seconds =
        std::min(best.seconds, std::chrono::duration<double>(Clock::now() - begin).count());
    // What is read of it afterwards keeps the copy from being left out.
    volatile std::uint8_t seen = to[static_cast<std::size_t>(copy)];
    static_cast<void>(seen);
  }
  return best;
}

}  // namespace parity
