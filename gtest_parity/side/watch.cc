#include "gtest_parity/side/watch.h"

#include <algorithm>
#include <utility>

#include "gtest_parity/engine/error.h"
#include "gtest_parity/side/ranges.h"

namespace parity {
namespace {

// Bytes of `now` that differ from `before`, within `ranges` of elements.
Stray StrayIn(const TensorRef& tensor, const std::uint8_t* before, const std::uint8_t* now,
              const ElementRanges& ranges) {
  Stray stray{.tensor = tensor.name};
  const std::uint32_t width = BytesOf(tensor.dtype);
  for (const ElementRun& range : ranges) {
    for (std::uint64_t i = range.first * width; i < (range.first + range.count) * width; ++i) {
      if (now[i] == before[i]) continue;
      if (stray.bytes++ == 0) stray.first_offset = i;
    }
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
    ElementRanges outside = {{0, region.live_bytes / BytesOf(tensor.dtype)}};
    if (const auto found = within.find(tensor.name); found != within.end()) {
      outside = Complement(found->second, outside[0].count);
    }
    Stray stray = StrayIn(tensor, shadow.bytes.data(), data, outside);
    if (stray.bytes != 0) strays.push_back(std::move(stray));
  }
  return strays;
}

}  // namespace parity
