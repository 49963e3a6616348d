#include "gtest_parity/side/watch.h"

#include <algorithm>
#include <utility>

#include "gtest_parity/engine/error.h"
#include "gtest_parity/side/ranges.h"

namespace parity {
namespace {

// Calls visit(offset, mask) with each byte that elements of `range` lie in and which of its bits
// are theirs.
template <typename Visitor>
void VisitBytes(DType dtype, const ElementRun& range, Visitor visit) {
  const std::uint64_t bits = BitsOf(dtype);
  const std::uint64_t begin = range.first * bits, end = begin + range.count * bits;
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t next = std::min(end, (at / 8 + 1) * 8);
    visit(at / 8, static_cast<std::uint8_t>(((1u << (next - at)) - 1) << (at % 8)));
    at = next;
  }
}

// Bytes of `now` that differ from `before`, within `ranges` of elements.
Stray StrayIn(const TensorRef& tensor, const std::uint8_t* before, const std::uint8_t* now,
              const ElementRanges& ranges) {
  Stray stray{.tensor = tensor.name};
  for (const ElementRun& range : ranges) {
    VisitBytes(tensor.dtype, range, [&](std::uint64_t i, std::uint8_t mask) {
      if (((now[i] ^ before[i]) & mask) == 0) return;
      if (stray.bytes++ == 0) stray.first_offset = i;
    });
  }
  return stray;
}

}  // namespace

void Watch::MarkInputsStale() {
  for (const WatchedTensor& watched : watched_) {
    if (watched.input) MarkStale(watched.tensor.name);
  }
}

void Watch::MarkAllStale() {
  for (auto& [name, shadow] : shadows_) shadow.stale = true;
}

void Watch::Abandon() {
  watching_ = false;
  MarkAllStale();
}

void Watch::Begin() {
  for (const WatchedTensor& watched : watched_) {
    Shadow& shadow = shadows_[watched.tensor.name];
    const parity_region region = memory_.Region(watched.tensor);
    if (!shadow.stale && shadow.bytes.size() == region.live_bytes) continue;
    const auto* data = static_cast<const std::uint8_t*>(region.data);
    shadow.bytes.assign(data, data + region.live_bytes);
    shadow.stale = false;
  }
  watching_ = true;
}

std::vector<Stray> Watch::End(const std::vector<std::string>& allowed,
                              const std::map<std::string, ElementRanges>& within) {
  watching_ = false;
  std::vector<Stray> strays;
  for (const WatchedTensor& watched : watched_) {
    const TensorRef& tensor = watched.tensor;
    Shadow& shadow = shadows_[tensor.name];
    const parity_region region = memory_.Region(tensor);
    const auto* data = static_cast<const std::uint8_t*>(region.data);
    if (region.live_bytes != shadow.bytes.size()) {
      throw EngineError(PARITY_FAILED, tensor.name + ": its live size changed during a run");
    }
    if (std::equal(shadow.bytes.begin(), shadow.bytes.end(), data)) continue;
    shadow.stale = true;
    if (std::find(allowed.begin(), allowed.end(), tensor.name) != allowed.end()) continue;
    ElementRanges outside = {{0, ElementsIn(tensor.dtype, region.live_bytes)}};
    if (const auto found = within.find(tensor.name); found != within.end()) {
      outside = Complement(found->second, outside[0].count);
    }
    Stray stray = StrayIn(tensor, shadow.bytes.data(), data, outside);
    if (stray.bytes != 0) strays.push_back(std::move(stray));
  }
  return strays;
}

}  // namespace parity
