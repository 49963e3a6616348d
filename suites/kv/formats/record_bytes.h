// The bytes of a record wherever they are, read by range: a record may be larger than memory, and
// most of it a hole.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_RECORD_BYTES_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_RECORD_BYTES_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace parity::kv {

struct Range {
  std::uint64_t offset = 0, bytes = 0;
  std::uint64_t end() const { return offset + bytes; }
  bool operator==(const Range&) const = default;
};

enum class ReadResult {
  kOk,        // every byte that was asked for
  kOverflow,  // offset + length does not fit 64 bits
  kPastEnd,   // the range ends behind the file's end, or the file was cut since it was opened
  kFailed,    // the system said no
};
std::string_view NameOf(ReadResult result);

class RecordBytes {
 public:
  virtual ~RecordBytes() = default;
  virtual std::uint64_t size() const = 0;

  // Exactly `out.size()` bytes or none that count.
  ReadResult Read(std::uint64_t offset, std::span<std::uint8_t> out);

  // Visits the range in pieces of at most kPieceBytes, in order.
  ReadResult Stream(Range range, const std::function<void(std::span<const std::uint8_t>)>& visit);

  // What reading has cost so far.
  std::uint64_t bytes_read() const { return bytes_read_; }

  static constexpr std::size_t kPieceBytes = std::size_t{1} << 18;

 private:
  // The range lies within size().
  virtual ReadResult ReadInside(std::uint64_t offset, std::span<std::uint8_t> out) = 0;

  std::uint64_t bytes_read_ = 0;
};

class MemoryBytes : public RecordBytes {
 public:
  explicit MemoryBytes(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const override { return bytes_.size(); }

 private:
  ReadResult ReadInside(std::uint64_t offset, std::span<std::uint8_t> out) override;

  std::vector<std::uint8_t> bytes_;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_RECORD_BYTES_H_
