#include "suites/kv/formats/compare_sections.h"

#include <algorithm>

#include "gtest_parity/manifest/sha256.h"

namespace parity::kv {
namespace {

bool IsIn(const std::vector<Range>& ranges, std::uint64_t offset) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
    return offset >= range.offset && offset < range.end();
  });
}

// A masked byte is equal to a masked byte; where only one side masks it the bytes are compared.
void MaskBoth(const ComparedRecord& reference, std::uint64_t reference_at,
              std::vector<std::uint8_t>* left, const ComparedRecord& candidate,
              std::uint64_t candidate_at, std::vector<std::uint8_t>* right) {
  std::vector<std::uint8_t> left_open(left->size(), 1), right_open(right->size(), 1);
  ApplyMask(*reference.record, reference_at, left_open);
  ApplyMask(*candidate.record, candidate_at, right_open);
  for (std::size_t i = 0; i < left->size(); ++i) {
    if (left_open[i] == 0 && right_open[i] == 0) (*left)[i] = (*right)[i] = 0;
  }
}

}  // namespace

std::string MaskedSha256(const ComparedRecord& side, Range range) {
  Sha256 hash;
  std::uint64_t at = range.offset;
  const ReadResult result = side.bytes->Stream(range, [&](std::span<const std::uint8_t> piece) {
    std::vector<std::uint8_t> masked(piece.begin(), piece.end());
    ApplyMask(*side.record, at, masked);
    hash.Update(masked.data(), masked.size());
    at += piece.size();
  });
  return result == ReadResult::kOk ? hash.Hex() : "(" + std::string(NameOf(result)) + ")";
}

std::vector<WindowByte> WindowOf(const ComparedRecord& side, Range range) {
  const std::uint64_t size = side.bytes->size();
  const std::uint64_t offset = std::min(range.offset, size);
  std::vector<std::uint8_t> bytes(std::min(range.bytes, size - offset));
  if (side.bytes->Read(offset, bytes) != ReadResult::kOk) return {};
  std::vector<WindowByte> window;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    window.push_back({bytes[i], side.record->IsMasked(offset + i)});
  }
  return window;
}

std::optional<ByteDifferences> CompareBytes(const ComparedRecord& reference, Range reference_range,
                                            const ComparedRecord& candidate, Range candidate_range,
                                            const std::vector<Range>& told) {
  ByteDifferences found;
  const std::uint64_t common = std::min(reference_range.bytes, candidate_range.bytes);
  std::vector<std::uint8_t> left, right;
  for (std::uint64_t done = 0; done < common; done += left.size()) {
    left.resize(std::min<std::uint64_t>(common - done, RecordBytes::kPieceBytes));
    right.resize(left.size());
    const std::uint64_t left_at = reference_range.offset + done;
    const std::uint64_t right_at = candidate_range.offset + done;
    if (reference.bytes->Read(left_at, left) != ReadResult::kOk ||
        candidate.bytes->Read(right_at, right) != ReadResult::kOk) {
      return std::nullopt;
    }
    if (left == right) continue;
    MaskBoth(reference, left_at, &left, candidate, right_at, &right);
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i] == right[i] || IsIn(told, left_at + i)) continue;
      if (found.count++ == 0) found.first = done + i;
    }
  }
  return found;
}

}  // namespace parity::kv
