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

}  // namespace

void Watch::MarkStale(const TensorRef& tensor) {
  const WatchedTensor* of = memory_.ViewedBy(tensor);
  shadows_[of == nullptr ? tensor.name : of->tensor.name].stale = true;
}

void Watch::OnStage() {
  for (const WatchedTensor& watched : watched_) {
    if (watched.input || !watched.views.empty()) shadows_[watched.tensor.name].stale = true;
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
    Device& device = memory_.device();
    shadow.bytes.Assign(device, region.data, region.live_bytes);
    shadow.views.clear();
    for (const View& view : watched.views) {
      ViewAccess access = memory_.Access(watched, view);
      DeviceBytes& shown = shadow.views.emplace_back();
      shown.Resize(device, access.bytes());
      access.Export(shown.data());
    }
    shadow.stale = false;
  }
  watching_ = true;
}

std::vector<Stray> Watch::End(const std::vector<std::string>& allowed,
                              const std::map<std::string, ElementRanges>& within) {
  watching_ = false;
  std::vector<Stray> strays;
  std::vector<PageCopy> pairs;  // all asked at once: most did not change
  for (const WatchedTensor& watched : watched_) {
    const Shadow& shadow = shadows_[watched.tensor.name];
    const parity_region region = memory_.Region(watched.tensor);
    if (region.live_bytes != shadow.bytes.size()) {
      throw EngineError(PARITY_FAILED,
                        watched.tensor.name + ": its live size changed during a run");
    }
    pairs.push_back(
        {shadow.bytes.data(), static_cast<std::uint8_t*>(region.data), region.live_bytes});
  }
  const std::vector<bool> changed = memory_.device().PagesDiffer(pairs);
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    if (!changed[i]) continue;
    const WatchedTensor& watched = watched_[i];
    const TensorRef& tensor = watched.tensor;
    const std::uint8_t* data = pairs[i].to;
    Shadow& shadow = shadows_[tensor.name];
    shadow.stale = true;
    if (!watched.views.empty()) {
      FindInViews(watched, shadow, {allowed, within}, strays);
      continue;
    }
    Stray stray = FindStray(tensor, shadow.bytes, data, {allowed, within});
    if (stray.bytes != 0) strays.push_back(std::move(stray));
  }
  return strays;
}

Stray Watch::FindStray(const TensorRef& tensor, const DeviceBytes& before, const std::uint8_t* now,
                       const Allowance& allowance) {
  Stray stray{.tensor = tensor.name};
  const auto& allowed = allowance.allowed;
  if (std::find(allowed.begin(), allowed.end(), tensor.name) != allowed.end()) return stray;
  ElementRanges outside = {{0, ElementsIn(tensor.dtype, before.size())}};
  if (const auto found = allowance.within.find(tensor.name); found != allowance.within.end()) {
    outside = Complement(found->second, outside[0].count);
  }
  Device& device = memory_.device();
  // Only what changed is looked at byte by byte.
  const ElementRanges changed = BlocksToElements(
      device.ChangedBlocks(before.data(), now, before.size()), before.size(), tensor.dtype);
  for (const ElementRun& run : changed) {
    const std::uint64_t begin = BytesOf(tensor.dtype, run.first);
    const std::uint64_t bytes = BytesOf(tensor.dtype, run.first + run.count) - begin;
    std::vector<std::uint8_t> was(bytes), is(bytes);
    bool fetched = false;
    for (const ElementRun& range : Intersect(outside, {run})) {
      if (!fetched) {
        device.Fetch(was.data(), before.data() + begin, bytes);
        device.Fetch(is.data(), now + begin, bytes);
        fetched = true;
      }
      VisitBytes(tensor.dtype, range, [&](std::uint64_t i, std::uint8_t mask) {
        if (((is[i - begin] ^ was[i - begin]) & mask) == 0) return;
        if (stray.bytes++ == 0) stray.first_offset = i;
      });
    }
  }
  return stray;
}

// What a view shows is looked at through it. What none shows is what still differs once every view
// is put back to what it showed.
void Watch::FindInViews(const WatchedTensor& watched, const Shadow& shadow,
                        const Allowance& allowance, std::vector<Stray>& strays) {
  Device& device = memory_.device();
  const parity_region region = memory_.Region(watched.tensor);
  auto* data = static_cast<std::uint8_t*>(region.data);
  DeviceBytes now;
  now.Assign(device, data, region.live_bytes);
  const auto find = [&](const TensorRef& tensor, const DeviceBytes& before,
                        const std::uint8_t* after) {
    Stray stray = FindStray(tensor, before, after, allowance);
    if (stray.bytes != 0) strays.push_back(std::move(stray));
  };
  for (std::size_t i = 0; i < watched.views.size(); ++i) {
    const View& view = watched.views[i];
    ViewAccess access = memory_.Access(watched, view);
    DeviceBytes shown;
    shown.Resize(device, access.bytes());
    access.Export(shown.data());
    find({watched.tensor.kind, view.name, view.dtype}, shadow.views[i], shown.data());
  }
  for (std::size_t i = 0; i < watched.views.size(); ++i) {
    memory_.Access(watched, watched.views[i]).Import(shadow.views[i].data());
  }
  TensorRef rest = watched.tensor;
  rest.name += "/rest";
  find(rest, shadow.bytes, data);
  device.Copy(data, now.data(), now.size());
}

}  // namespace parity
