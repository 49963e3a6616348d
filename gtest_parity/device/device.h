// Where a rank's bytes lie: its memory, and the questions about bytes that are asked there.
#ifndef GTEST_PARITY_DEVICE_DEVICE_H_
#define GTEST_PARITY_DEVICE_DEVICE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/convert.h"
#include "kernels/decisions.h"
#include "kernels/digest.h"
#include "kernels/domain.h"
#include "kernels/dtype.h"
#include "kernels/elements.h"
#include "kernels/poison.h"
#include "kernels/rows.h"
#include "kernels/strided_copy.h"

namespace parity {

// What a device came to when it did not do as it was asked.
class DeviceError : public std::runtime_error {
 public:
  enum class Kind {
    kFailed,
    kOutOfMemory,
    kLost,  // nothing can be asked of it again in this process
  };
  DeviceError(Kind kind, const std::string& words) : std::runtime_error(words), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

// What a copy of `bytes` bytes within the device's memory took.
struct CopyTime {
  std::uint64_t bytes = 0;
  double seconds = 0;
};

// Bytes, and the place that they are compared with or copied to: a page of the recording and one of
// a tensor, say.
struct PageCopy {
  const std::uint8_t* from = nullptr;
  std::uint8_t* to = nullptr;
  std::uint64_t bytes = 0;
};

// Two arrays of `dtype` on the device, and where in them elements are compared.
struct ComparedArrays {
  DType dtype = DType::kBytes;
  const void* a = nullptr;
  const void* b = nullptr;
  std::vector<ElementRun> ranges;
};

// The memory and the instruments of one rank. Pointers are to this device's memory where nothing
// else is said, and need not be aligned. What one call writes the next one sees; what returns
// something has waited for it, the others need not have happened before Synchronize. To be used by
// one thread. Every method may throw DeviceError; the questions throw what kernels/ says besides.
class Device {
 public:
  virtual ~Device() = default;

  virtual std::string Name() const = 0;  // "the host", "GPU-<uuid>"
  virtual int ordinal() const = 0;       // CUDA's number in this process, -1 for host memory
  // Goes on in `stream`, a cudaStream_t that outlives what is asked from here on.
  virtual void UseStream(void* stream) = 0;
  // Until all that was asked of it is done. Tells, too, what other code of this process did to the
  // device since.
  virtual void Synchronize() = 0;
  // Why `bytes` bytes at `data` cannot be this device's; empty where they can.
  virtual std::string WhyNotHere(const void* data, std::uint64_t bytes) const = 0;

  virtual std::uint8_t* Allocate(std::uint64_t bytes) = 0;
  virtual void Free(std::uint8_t* data) noexcept = 0;
  virtual void Copy(void* to, const void* from, std::uint64_t bytes) = 0;
  // Between this device and the process's own memory; both have waited.
  virtual void Fetch(void* host, const void* from, std::uint64_t bytes) = 0;
  virtual void Put(void* to, const void* host, std::uint64_t bytes) = 0;
  // Elements of `ranges` alone, of those that share a byte too.
  virtual void CopyElements(DType dtype, std::span<const ElementRun> ranges, const void* from,
                            void* to) = 0;
  virtual void Fill(DType dtype, ElementBits pattern, void* data, std::uint64_t count) = 0;
  virtual void Gather(const StridedLayout& layout, std::uint32_t element_bytes, const void* strided,
                      void* dense) = 0;
  virtual void Scatter(const StridedLayout& layout, std::uint32_t element_bytes, const void* dense,
                       void* strided) = 0;
  virtual Inexact Convert(DType from, const void* in, DType to, void* out, std::uint64_t count) = 0;

  // Pages of the recording, on this device or in host memory, and places on either. Copies, all at
  // once; has waited for those that host memory has part in.
  virtual void CopyPages(std::span<const PageCopy> pages) = 0;
  // Of each, whether `to` does not hold what `from` does.
  virtual std::vector<bool> PagesDiffer(std::span<const PageCopy> pages) = 0;

  // Of each pair, all asked at once: over its ranges, in their order; indices count from the arrays'
  // begin.
  virtual std::vector<ElementStats> CompareElements(std::span<const ComparedArrays> pairs) = 0;
  virtual std::vector<RowStats> CompareRows(DType dtype, std::uint32_t columns, std::uint64_t rows,
                                            const void* a, const void* b) = 0;
  virtual DecisionStats CompareDecisions(DType dtype, const void* a, const void* b,
                                         std::uint64_t count, const DecisionScores& scores) = 0;
  virtual std::vector<std::uint64_t> ChangedBlocks(const void* a, const void* b,
                                                   std::uint64_t bytes) = 0;
  // Among `ranges`, ascending; indices count from the arrays' begin.
  virtual std::vector<ElementRun> UnwrittenElements(DType dtype, const void* a,
                                                    ElementBits pattern_a, const void* b,
                                                    ElementBits pattern_b,
                                                    std::span<const ElementRun> ranges) = 0;
  virtual OutsideRange CountOutside(DType dtype, const void* data, std::uint64_t count,
                                    const ValueRange& range) = 0;
  // Of each, all asked at once.
  virtual std::vector<Digest> DigestsOf(std::span<const DigestTask> tasks) = 0;
  Digest DigestOf(const void* data, std::uint64_t bytes) {
    const DigestTask task{data, bytes};
    return DigestsOf({&task, 1})[0];
  }
  // The best of several copies of memory of its own, far larger than its caches.
  virtual CopyTime MeasureCopy() = 0;
};

// Memory that is owned.
class DeviceBytes {
 public:
  DeviceBytes() = default;
  ~DeviceBytes() { Release(); }
  DeviceBytes(DeviceBytes&& other) noexcept { *this = static_cast<DeviceBytes&&>(other); }
  DeviceBytes& operator=(DeviceBytes&& other) noexcept;

  // What it held is lost.
  void Resize(Device& device, std::uint64_t bytes);
  void Assign(Device& device, const void* from, std::uint64_t bytes);
  std::uint8_t* data() { return data_; }
  const std::uint8_t* data() const { return data_; }
  std::uint64_t size() const { return bytes_; }

 private:
  void Release() noexcept;

  Device* device_ = nullptr;
  std::uint8_t* data_ = nullptr;
  std::uint64_t bytes_ = 0, capacity_ = 0;
};

}  // namespace parity

#endif  // GTEST_PARITY_DEVICE_DEVICE_H_
