#include "gtest_parity/side/rank_memory.h"

#include <chrono>
#include <cstring>
#include <utility>

#include "gtest_parity/engine/error.h"

namespace parity {
namespace {

[[noreturn]] void Fail(const std::string& words) { throw EngineError(PARITY_FAILED, words); }

// Of elements that share a byte only the range's own bits are copied.
void CopyElements(DType dtype, const ElementRun& range, const std::uint8_t* from,
                  std::uint8_t* to) {
  if (BitsOf(dtype) >= 8) {
    const std::uint64_t offset = BytesOf(dtype, range.first);
    std::memcpy(to + offset, from + offset, BytesOf(dtype, range.count));
    return;
  }
  for (std::uint64_t i = range.first; i < range.first + range.count; ++i) {
    const unsigned mask = i % 2 == 0 ? 0x0f : 0xf0;
    to[i / 2] = static_cast<std::uint8_t>((to[i / 2] & ~mask) | (from[i / 2] & mask));
  }
}

}  // namespace

parity_region RankMemory::Region(const TensorRef& tensor) {
  if (tapped_ && tapped_->first != tensor.name) {
    Fail(tensor.name + ": cannot be reached inside a tap on " + tapped_->first);
  }
  const parity_region region =
      tapped_
          ? tapped_->second
          : rank_.Region(tensor.kind == Kind::kState ? PARITY_STATE : PARITY_BUFFER, tensor.name);
  if (region.memory != PARITY_MEMORY_HOST) {
    Fail(tensor.name + ": lies in memory kind " + std::to_string(region.memory) +
         ", expected host memory");
  }
  if (BytesOf(tensor.dtype, ElementsIn(tensor.dtype, region.live_bytes)) != region.live_bytes) {
    Fail(tensor.name + ": " + std::to_string(region.live_bytes) +
         " bytes are live, expected whole elements of " + std::to_string(BytesOf(tensor.dtype, 1)) +
         " bytes");
  }
  if (region.data == nullptr && region.live_bytes != 0) Fail(tensor.name + ": has no address");
  return region;
}

View RankMemory::Resolve(const TensorRef& tensor, const Source& source, Bytes& scratch) {
  switch (source.where) {
    case Source::Where::kLive: {
      const parity_region region = Region(tensor);
      return {static_cast<const std::uint8_t*>(region.data), region.live_bytes};
    }
    case Source::Where::kHeld: {
      const auto found = held_.find(source.held);
      if (found == held_.end()) Fail("nothing is held as '" + source.held + "'");
      return {found->second.data(), found->second.size()};
    }
    case Source::Where::kImage:
      break;
  }
  scratch.resize(source.image.bytes);
  pages_.Read(source.image, scratch.data());
  return {scratch.data(), scratch.size()};
}

void RankMemory::Hold(const TensorRef& tensor, const std::string& into) {
  Bytes scratch;
  const View view = Resolve(tensor, Source::Live(), scratch);
  held_[into].assign(view.data, view.data + view.bytes);
}

Result RankMemory::Keep(const TensorRef& tensor) {
  Result result;
  const parity_region region = Region(tensor);
  Image& last = last_kept_[tensor.name];
  const auto begin = std::chrono::steady_clock::now();
  std::optional<Image> image = pages_.Keep(region.data, region.live_bytes, last);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.exhausted = !image.has_value();
  result.count = pages_.used_bytes();
  if (image) result.image = last = std::move(*image);
  return result;
}

void RankMemory::Restore(const TensorRef& tensor, const Source& source,
                         const std::optional<ElementRanges>& ranges) {
  Bytes scratch;
  const View view = Resolve(tensor, source, scratch);
  const parity_region region = Region(tensor);
  if (region.live_bytes != view.bytes) {
    Fail(tensor.name + ": " + std::to_string(region.live_bytes) +
         " bytes are live, the reference had " + std::to_string(view.bytes));
  }
  auto* to = static_cast<std::uint8_t*>(region.data);
  if (view.bytes == 0) return;
  if (!ranges) {
    std::memcpy(to, view.data, view.bytes);
    return;
  }
  for (const ElementRun& range : *ranges) {
    if (BytesOf(tensor.dtype, range.first + range.count) > view.bytes) {
      Fail(tensor.name + ": elements up to " + std::to_string(range.first + range.count) +
           " to be restored, it has " + std::to_string(ElementsIn(tensor.dtype, view.bytes)));
    }
    CopyElements(tensor.dtype, range, view.data, to);
  }
}

}  // namespace parity
