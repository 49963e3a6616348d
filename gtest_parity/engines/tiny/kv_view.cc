#include "gtest_parity/engines/tiny/kv_view.h"

#include <cstddef>
#include <cstring>
#include <utility>

namespace parity::tiny {
namespace {

// Units of `unit` bytes from last to first.
std::vector<std::byte> Reversed(const void* data, std::uint64_t bytes, std::uint64_t unit) {
  std::vector<std::byte> reversed(bytes);
  for (std::uint64_t at = 0; at < bytes; at += unit) {
    std::memcpy(reversed.data() + bytes - unit - at, static_cast<const std::byte*>(data) + at,
                unit);
  }
  return reversed;
}

}  // namespace

KvView::KvView(Operand cache, std::uint64_t heads, CacheRow row,
               const std::vector<StagedSequence>& sequences, ViewLie lie, Backend& backend)
    : cache_(std::move(cache)),
      heads_(heads),
      row_(row),
      sequences_(sequences),
      lie_(lie),
      backend_(backend) {
  for (const StagedSequence& sequence : sequences) tokens_ += sequence.length;
}

template <typename Copy>
void KvView::ForEachRow(Copy copy) const {
  std::uint64_t at = 0;
  for (const StagedSequence& sequence : sequences_) {
    for (std::uint64_t position = 0; position < sequence.length; ++position) {
      for (std::uint64_t head = 0; head < heads_; ++head, at += RowBytes()) {
        copy(cache_.As<std::byte>() + row_(cache_.dims, sequence, position, head) * RowBytes(), at);
      }
    }
  }
}

void KvView::Export(void* canonical) const {
  auto* out = static_cast<std::byte*>(canonical);
  const std::uint64_t end = Bytes() - (lie_ == ViewLie::kExportShort ? TokenBytes() : 0);
  ForEachRow([&](std::byte* row, std::uint64_t at) {
    if (at < end) backend_.Copy(out + at, row, RowBytes());
  });
  if (lie_ == ViewLie::kExportMoves) *cache_.As<std::byte>() ^= std::byte{1};
  if (lie_ != ViewLie::kBackwards) return;
  const std::vector<std::byte> backwards = Reversed(out, Bytes(), BytesOf(cache_.dtype));
  std::memcpy(out, backwards.data(), backwards.size());
}

void KvView::Import(const void* canonical) const {
  std::vector<std::byte> other;
  if (lie_ == ViewLie::kImportReversed) other = Reversed(canonical, Bytes(), TokenBytes());
  if (lie_ == ViewLie::kBackwards) other = Reversed(canonical, Bytes(), BytesOf(cache_.dtype));
  const auto* in = other.empty() ? static_cast<const std::byte*>(canonical) : other.data();
  ForEachRow([&](std::byte* row, std::uint64_t at) { backend_.Copy(row, in + at, RowBytes()); });
}

}  // namespace parity::tiny
