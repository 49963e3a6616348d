#include "suites/kv/formats/record_bytes.h"

#include <algorithm>
#include <array>

#include "suites/kv/formats/checked.h"

namespace parity::kv {

std::string_view NameOf(ReadResult result) {
  constexpr std::array<std::string_view, 4> kNames = {"ok", "overflow", "past_end", "failed"};
  return kNames[static_cast<std::size_t>(result)];
}

ReadResult RecordBytes::Read(std::uint64_t offset, std::span<std::uint8_t> out) {
  const auto end = CheckedSum(offset, out.size());
  if (!end) return ReadResult::kOverflow;
  if (*end > size()) return ReadResult::kPastEnd;
  if (out.empty()) return ReadResult::kOk;
  bytes_read_ += out.size();
  return ReadInside(offset, out);
}

ReadResult RecordBytes::Stream(Range range,
                               const std::function<void(std::span<const std::uint8_t>)>& visit) {
  const auto end = CheckedSum(range.offset, range.bytes);
  if (!end) return ReadResult::kOverflow;
  if (*end > size()) return ReadResult::kPastEnd;
  std::vector<std::uint8_t> piece(std::min<std::uint64_t>(range.bytes, kPieceBytes));
  for (std::uint64_t done = 0; done < range.bytes; done += piece.size()) {
    piece.resize(std::min<std::uint64_t>(range.bytes - done, kPieceBytes));
    const ReadResult result = Read(range.offset + done, piece);
    if (result != ReadResult::kOk) return result;
    visit(piece);
  }
  return ReadResult::kOk;
}

ReadResult MemoryBytes::ReadInside(std::uint64_t offset, std::span<std::uint8_t> out) {
  std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
  return ReadResult::kOk;
}

}  // namespace parity::kv
