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

// What is known of a constant is which of its pages changed.
constexpr std::uint64_t kConstantPage = std::uint64_t{64} << 10;

[[noreturn]] void SizeChanged(const WatchedTensor& watched) {
  throw EngineError(PARITY_FAILED, watched.tensor.name + ": its live size changed during a run");
}

bool IsKnownByDigest(const WatchedTensor& watched) {
  return watched.constant && watched.views.empty();
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

std::vector<DigestTask> Watch::PagesOf(const WatchedTensor& watched) {
  const parity_region region = memory_.Region(watched.tensor);
  const auto* data = static_cast<const std::uint8_t*>(region.data);
  std::vector<DigestTask> pages;
  for (std::uint64_t at = 0; at < region.live_bytes; at += kConstantPage) {
    pages.push_back({data + at, std::min(kConstantPage, region.live_bytes - at)});
  }
  return pages;
}

void Watch::DigestConstants() {
  std::vector<DigestTask> tasks;
  std::vector<Shadow*> owners;  // of each task
  for (const WatchedTensor& watched : watched_) {
    if (!IsKnownByDigest(watched)) continue;
    Shadow& shadow = shadows_[watched.tensor.name];
    if (!shadow.stale) continue;
    shadow.pages.clear();
    shadow.stale = false;
    for (const DigestTask& page : PagesOf(watched)) {
      tasks.push_back(page);
      owners.push_back(&shadow);
    }
  }
  if (tasks.empty()) return;
  const std::vector<Digest> digests = memory_.device().DigestsOf(tasks);
  for (std::size_t i = 0; i < digests.size(); ++i) owners[i]->pages.push_back(digests[i]);
}

std::vector<Stray> Watch::ChangedConstants() {
  std::vector<Stray> strays;
  std::vector<DigestTask> tasks;
  for (const WatchedTensor& watched : watched_) {
    if (!IsKnownByDigest(watched) || shadows_[watched.tensor.name].stale) continue;
    const std::vector<DigestTask> pages = PagesOf(watched);
    if (pages.size() != shadows_[watched.tensor.name].pages.size()) SizeChanged(watched);
    tasks.insert(tasks.end(), pages.begin(), pages.end());
  }
  if (tasks.empty()) return strays;
  const std::vector<Digest> digests = memory_.device().DigestsOf(tasks);
  std::size_t task = 0;
  for (const WatchedTensor& watched : watched_) {
    Shadow& shadow = shadows_[watched.tensor.name];
    if (!IsKnownByDigest(watched) || shadow.stale) continue;
    Stray stray{.tensor = watched.tensor.name, .whole_pages = true};
    for (std::size_t page = 0; page < shadow.pages.size(); ++page, ++task) {
      if (digests[task] == shadow.pages[page]) continue;
      if (stray.bytes == 0) stray.first_offset = page * kConstantPage;
      stray.bytes += tasks[task].bytes;
      shadow.stale = true;
    }
    if (stray.bytes != 0) strays.push_back(std::move(stray));
  }
  return strays;
}

void Watch::Begin() {
  DigestConstants();
  for (const WatchedTensor& watched : watched_) {
    if (IsKnownByDigest(watched)) continue;
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
  const Allowance allowance = {allowed, within};
  std::vector<Stray> strays;
  std::vector<PageCopy> pairs;  // all asked at once: most did not change
  std::vector<const WatchedTensor*> copied;
  for (const WatchedTensor& watched : watched_) {
    if (IsKnownByDigest(watched)) continue;
    copied.push_back(&watched);
    const Shadow& shadow = shadows_[watched.tensor.name];
    const parity_region region = memory_.Region(watched.tensor);
    if (region.live_bytes != shadow.bytes.size()) SizeChanged(watched);
    pairs.push_back(
        {shadow.bytes.data(), static_cast<std::uint8_t*>(region.data), region.live_bytes});
  }
  const std::vector<bool> changed = memory_.device().PagesDiffer(pairs);
  for (std::size_t i = 0; i < copied.size(); ++i) {
    if (!changed[i]) continue;
    const WatchedTensor& watched = *copied[i];
    const TensorRef& tensor = watched.tensor;
    const std::uint8_t* data = pairs[i].to;
    Shadow& shadow = shadows_[tensor.name];
    shadow.stale = true;
    if (!watched.views.empty()) {
      FindInViews(watched, shadow, allowance, strays);
      continue;
    }
    Stray stray = FindStray(tensor, shadow.bytes, data, allowance);
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
