#include "gtest_parity/side/rank_memory.h"

#include <chrono>
#include <utility>

#include "gtest_parity/engine/error.h"
#include "gtest_parity/side/prove_view.h"
#include "kernels/poison.h"

namespace parity {
namespace {

[[noreturn]] void Throw(const std::string& words) { throw EngineError(PARITY_FAILED, words); }

void CheckSize(const TensorRef& tensor, std::uint64_t live_bytes, std::uint64_t expected) {
  if (live_bytes == expected) return;
  Throw(tensor.name + ": " + std::to_string(live_bytes) + " bytes are live, the reference had " +
        std::to_string(expected));
}

}  // namespace

parity_region RankMemory::Region(const TensorRef& tensor) {
  if (!tapped_) return RegionOf(rank_, device_, tensor);
  if (tapped_->first != tensor.name) {
    Throw(tensor.name + ": cannot be reached inside a tap on " + tapped_->first);
  }
  return Checked(tapped_->second, device_, tensor);
}

RankMemory::RankMemory(Rank& rank, PageStore& pages, const std::vector<WatchedTensor>& tensors)
    : rank_(rank), pages_(pages), device_(pages.device()) {
  for (const WatchedTensor& tensor : tensors) {
    for (const View& view : tensor.views) views_[view.name] = {&tensor, &view};
  }
}

const WatchedTensor* RankMemory::ViewedBy(const TensorRef& tensor) const {
  const auto found = views_.find(tensor.name);
  return found == views_.end() ? nullptr : found->second.of;
}

DType RankMemory::StoredDType(const TensorRef& tensor) const {
  const WatchedTensor* of = ViewedBy(tensor);
  return of == nullptr ? tensor.dtype : of->tensor.dtype;
}

Result RankMemory::Prove(const TensorRef& view) {
  const auto found = views_.find(view.name);
  if (found == views_.end()) Throw(view.name + ": no view to prove");
  Result result;
  result.words = ProveView(rank_, device_, *found->second.of, *found->second.view, step_);
  return result;
}

ByteView RankMemory::Resolve(const TensorRef& tensor, const Source& source, Bytes& scratch) {
  switch (source.where) {
    case Source::Where::kLive: {
      const auto viewed = views_.find(tensor.name);
      if (viewed == views_.end()) {
        const parity_region region = Region(tensor);
        return {static_cast<const std::uint8_t*>(region.data), region.live_bytes};
      }
      ViewAccess access = Access(*viewed->second.of, *viewed->second.view);
      scratch.Resize(device_, access.bytes());
      access.Export(scratch.data());
      return {scratch.data(), scratch.size()};
    }
    case Source::Where::kHeld: {
      const auto found = held_.find(source.held);
      if (found == held_.end()) Throw("nothing is held as '" + source.held + "'");
      return {found->second.data(), found->second.size()};
    }
    case Source::Where::kImage:
      break;
  }
  scratch.Resize(device_, source.image.bytes);
  pages_.Read(source.image, scratch.data());
  return {scratch.data(), scratch.size()};
}

void RankMemory::Hold(const TensorRef& tensor, const std::string& into) {
  Bytes scratch;
  const ByteView live = Resolve(tensor, Source::Live(), scratch);
  held_[into].Assign(device_, live.data, live.bytes);
}

Result RankMemory::Keep(const TensorRef& tensor) {
  Result result;
  Bytes scratch;
  const ByteView live = Resolve(tensor, Source::Live(), scratch);
  Image& last = last_kept_[tensor.name];
  const auto begin = std::chrono::steady_clock::now();
  std::optional<Image> image = pages_.Keep(live.data, live.bytes, last);
  device_.Synchronize();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.exhausted = !image.has_value();
  result.count = pages_.used_bytes();
  if (image) result.image = last = std::move(*image);
  return result;
}

Result RankMemory::Restore(const TensorRef& tensor, const Source& source,
                           const std::optional<ElementRanges>& ranges) {
  Bytes scratch;
  const ByteView from = Resolve(tensor, source, scratch);
  Result result;
  result.words = ranges ? WriteRanges(tensor, from, *ranges) : Write(tensor, from.data, from.bytes);
  return result;
}

void RankMemory::Fill(const TensorRef& tensor, ElementBits pattern) {
  const auto viewed = views_.find(tensor.name);
  if (viewed == views_.end()) {
    const parity_region region = Region(tensor);
    device_.Fill(tensor.dtype, pattern, region.data, ElementsIn(tensor.dtype, region.live_bytes));
    return;
  }
  const std::uint64_t bytes = Access(*viewed->second.of, *viewed->second.view).bytes();
  Bytes filled;
  filled.Resize(device_, bytes);
  device_.Fill(tensor.dtype, pattern, filled.data(), ElementsIn(tensor.dtype, bytes));
  Write(tensor, filled.data(), bytes);
}

// Words where the engine's dtype does not hold a value.
std::string RankMemory::Write(const TensorRef& tensor, const std::uint8_t* data,
                              std::uint64_t bytes) {
  if (const auto viewed = views_.find(tensor.name); viewed != views_.end()) {
    ViewAccess access = Access(*viewed->second.of, *viewed->second.view);
    CheckSize(tensor, access.bytes(), bytes);
    return access.Import(data);
  }
  const parity_region region = Region(tensor);
  CheckSize(tensor, region.live_bytes, bytes);
  device_.Copy(region.data, data, bytes);
  return "";
}

std::string RankMemory::WriteRanges(const TensorRef& tensor, const ByteView& from,
                                    const ElementRanges& ranges) {
  Bytes scratch;
  const ByteView live = Resolve(tensor, Source::Live(), scratch);
  CheckSize(tensor, live.bytes, from.bytes);
  const bool viewed = views_.contains(tensor.name);
  auto* to = viewed ? scratch.data() : static_cast<std::uint8_t*>(Region(tensor).data);
  for (const ElementRun& range : ranges) {
    if (BytesOf(tensor.dtype, range.first + range.count) > from.bytes) {
      Throw(tensor.name + ": elements up to " + std::to_string(range.first + range.count) +
            " to be restored, it has " + std::to_string(ElementsIn(tensor.dtype, from.bytes)));
    }
  }
  device_.CopyElements(tensor.dtype, ranges, from.data, to);
  return viewed ? Write(tensor, scratch.data(), scratch.size()) : "";
}

}  // namespace parity
