#include "gtest_parity/side/executor.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <utility>

#include "gtest_parity/engine/error.h"
#include "kernels/changed.h"
#include "kernels/dispatch.h"
#include "kernels/formats.h"

namespace parity {
namespace {

[[noreturn]] void Fail(const std::string& words) { throw EngineError(PARITY_FAILED, words); }

std::uint64_t ElementsIn(const TensorRef& tensor, std::uint64_t bytes) {
  return bytes / BytesOf(tensor.dtype);
}

std::string ValueText(DType dtype, const std::uint8_t* data) {
  char text[40];
  if (dtype == DType::kBytes) {
    std::snprintf(text, sizeof(text), "0x%02x", *data);
    return text;
  }
  VisitNumericFormat(dtype, "a value", [&](auto format) {
    typename decltype(format)::Bits bits;
    std::memcpy(&bits, data, sizeof(bits));
    const auto value = format.Decode(bits);
    if constexpr (std::is_same_v<decltype(value), const double>) {
      std::snprintf(text, sizeof(text), "%.17g", value);
    } else if constexpr (std::is_same_v<decltype(value), const float>) {
      std::snprintf(text, sizeof(text), "%.9g", static_cast<double>(value));
    } else {
      std::snprintf(text, sizeof(text), "%s", std::to_string(value).c_str());
    }
  });
  return text;
}

ElementBits PoisonOf(const Instruction& instruction, std::uint32_t which) {
  return Poison(instruction.tensor.dtype,
                which == 0 ? PoisonKind::kQuietNaN : PoisonKind::kLargeFinite, instruction.domain);
}

ElementRanges RangesOf(const Instruction& instruction, const Results& before,
                       std::uint64_t elements) {
  ElementRanges ranges;
  if (instruction.ranges_of) {
    ranges = before.at(*instruction.ranges_of).ranges;
  } else if (instruction.ranges) {
    ranges = *instruction.ranges;
  } else if (elements != 0) {
    ranges = {{0, elements}};
  }
  for (const ElementRun& range : ranges) {
    if (range.first > elements || range.count > elements - range.first) {
      Fail(instruction.tensor.name + ": elements " + std::to_string(range.first) + " to " +
           std::to_string(range.first + range.count) + " asked for, it has " +
           std::to_string(elements));
    }
  }
  return ranges;
}

}  // namespace

Executor::Executor(Rank& rank, PageStore& pages, const std::vector<WatchedTensor>& watched,
                   RankProgress& progress)
    : rank_(rank), pages_(pages), watched_(watched), progress_(progress) {}

Results Executor::Execute(const std::vector<Instruction>& script) {
  Results results;
  results.reserve(script.size());
  try {
    for (std::size_t i = 0; i < script.size(); ++i) {
      progress_.instruction = static_cast<std::uint32_t>(i + 1);
      results.push_back(Execute(script[i], results));
    }
  } catch (...) {
    watching_ = false;
    MarkAllStale();
    throw;
  }
  progress_.instruction = 0;
  return results;
}

Result Executor::Execute(const Instruction& instruction, const Results& before) {
  Result result;
  Bytes scratch;
  switch (instruction.what) {
    case Do::kReset:
      rank_.Reset();
      MarkAllStale();
      return result;
    case Do::kStage:
      Stage(*instruction.step);
      return result;
    case Do::kRun:
      return Run(instruction);
    case Do::kKeep:
      return Keep(instruction.tensor);
    case Do::kHold: {
      const View view = Resolve(instruction.tensor, Source::Live(), scratch);
      held_[instruction.into].assign(view.data, view.data + view.bytes);
      return result;
    }
    case Do::kRestore:
      Restore(instruction.tensor, instruction.a);
      return result;
    case Do::kPoison:
      FillPoison(instruction);
      return result;
    case Do::kElements:
      return CompareElements(instruction, before);
    case Do::kRows:
      return CompareRows(instruction);
    case Do::kUnwritten:
      return FindUnwritten(instruction, before);
    case Do::kWritten: {
      const Result unwritten = FindUnwritten(instruction, before);
      const View view = Resolve(instruction.tensor, instruction.a, scratch);
      result.ranges = Complement(unwritten.ranges, ElementsIn(instruction.tensor, view.bytes));
      result.count = ElementsIn(instruction.tensor, view.bytes) - unwritten.count;
      return result;
    }
    case Do::kChanged:
      return FindChanged(instruction);
    case Do::kDomain: {
      const View view = Resolve(instruction.tensor, instruction.a, scratch);
      result.count = ElementsIn(instruction.tensor, view.bytes);
      result.outside =
          CountOutside(instruction.tensor.dtype, view.data, result.count, *instruction.domain);
      return result;
    }
    case Do::kDigest: {
      const View view = Resolve(instruction.tensor, instruction.a, scratch);
      result.digest = HexText(DigestOf(view.data, view.bytes));
      result.count = view.bytes;
      return result;
    }
    case Do::kBytes: {
      const View view = Resolve(instruction.tensor, instruction.a, scratch);
      result.bytes.assign(view.data, view.data + view.bytes);
      return result;
    }
    case Do::kWatch:
      Watch();
      return result;
    case Do::kStrays:
      return FindStrays(instruction);
  }
  Fail("unknown instruction " + std::to_string(static_cast<int>(instruction.what)));
}

void Executor::MarkAllStale() {
  for (auto& [name, shadow] : shadows_) shadow.stale = true;
}

parity_region Executor::Region(const TensorRef& tensor) {
  const parity_region region =
      rank_.Region(tensor.kind == Kind::kState ? PARITY_STATE : PARITY_BUFFER, tensor.name);
  if (region.memory != PARITY_MEMORY_HOST) {
    Fail(tensor.name + ": lies in memory kind " + std::to_string(region.memory) +
         ", expected host memory");
  }
  if (region.live_bytes % BytesOf(tensor.dtype) != 0) {
    Fail(tensor.name + ": " + std::to_string(region.live_bytes) +
         " bytes are live, expected whole elements of " + std::to_string(BytesOf(tensor.dtype)) +
         " bytes");
  }
  if (region.data == nullptr && region.live_bytes != 0) Fail(tensor.name + ": has no address");
  return region;
}

Executor::View Executor::Resolve(const TensorRef& tensor, const Source& source, Bytes& scratch) {
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

void Executor::Stage(const Step& step) {
  std::vector<parity_sequence> sequences;
  for (const Step::Sequence& from : step.sequences) {
    parity_sequence sequence{};
    sequence.struct_size = sizeof(sequence);
    sequence.slot = from.slot;
    sequence.past = from.past;
    sequence.rows = from.rows;
    sequence.pages = from.pages.empty() ? nullptr : from.pages.data();
    sequence.page_count = from.pages.size();
    sequences.push_back(sequence);
  }
  parity_step staged{};
  staged.struct_size = sizeof(staged);
  staged.program = step.program.c_str();
  staged.run = step.run.c_str();
  staged.rows = step.tokens.size();
  staged.tokens = step.tokens.data();
  staged.positions = step.positions.data();
  staged.sequence_count = sequences.size();
  staged.sequences = sequences.data();
  rank_.Stage(staged);
  for (const WatchedTensor& watched : watched_) {
    if (watched.input) shadows_[watched.tensor.name].stale = true;
  }
}

Result Executor::Run(const Instruction& instruction) {
  if (!watching_) MarkAllStale();
  Result result;
  const auto begin = std::chrono::steady_clock::now();
  if (instruction.whole) {
    rank_.RunWhole(instruction.program, instruction.hi);
  } else {
    rank_.Run(instruction.program, instruction.lo, instruction.hi);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

Result Executor::Keep(const TensorRef& tensor) {
  Result result;
  const parity_region region = Region(tensor);
  Image& last = last_kept_[tensor.name];
  std::optional<Image> image = pages_.Keep(region.data, region.live_bytes, last);
  result.exhausted = !image.has_value();
  result.count = pages_.used_bytes();
  if (image) result.image = last = std::move(*image);
  return result;
}

void Executor::Restore(const TensorRef& tensor, const Source& source) {
  Bytes scratch;
  const View view = Resolve(tensor, source, scratch);
  const parity_region region = Region(tensor);
  if (region.live_bytes != view.bytes) {
    Fail(tensor.name + ": " + std::to_string(region.live_bytes) +
         " bytes are live, the reference had " + std::to_string(view.bytes));
  }
  if (view.bytes != 0) std::memcpy(region.data, view.data, view.bytes);
  shadows_[tensor.name].stale = true;
}

void Executor::FillPoison(const Instruction& instruction) {
  const TensorRef& tensor = instruction.tensor;
  const parity_region region = Region(tensor);
  parity::FillPoison(tensor.dtype, PoisonOf(instruction, instruction.which), region.data,
                     ElementsIn(tensor, region.live_bytes));
  shadows_[tensor.name].stale = true;
}

Result Executor::CompareElements(const Instruction& instruction, const Results& before) {
  Bytes scratch_a, scratch_b;
  const View a = Resolve(instruction.tensor, instruction.a, scratch_a);
  const View b = Resolve(instruction.tensor, instruction.b, scratch_b);
  if (a.bytes != b.bytes) {
    Fail(instruction.tensor.name + ": " + std::to_string(b.bytes) + " bytes, the reference had " +
         std::to_string(a.bytes));
  }
  Result result;
  const std::uint32_t width = BytesOf(instruction.tensor.dtype);
  result.elements =
      CompareRanges(instruction.tensor.dtype, a.data, b.data,
                    RangesOf(instruction, before, ElementsIn(instruction.tensor, a.bytes)));
  if (!result.elements.Identical()) {
    const std::uint64_t worst = result.elements.worst_index != ElementStats::kNoIndex
                                    ? result.elements.worst_index
                                    : result.elements.first_index;
    result.worst_values = {ValueText(instruction.tensor.dtype, a.data + worst * width),
                           ValueText(instruction.tensor.dtype, b.data + worst * width)};
  }
  return result;
}

Result Executor::CompareRows(const Instruction& instruction) {
  Bytes scratch_a, scratch_b;
  const View a = Resolve(instruction.tensor, instruction.a, scratch_a);
  const View b = Resolve(instruction.tensor, instruction.b, scratch_b);
  const std::uint64_t row_bytes =
      std::uint64_t{instruction.columns} * BytesOf(instruction.tensor.dtype);
  if (a.bytes != b.bytes || row_bytes == 0 || a.bytes % row_bytes != 0) {
    Fail(instruction.tensor.name + ": " + std::to_string(b.bytes) + " bytes against " +
         std::to_string(a.bytes) + ", expected the same number of rows of " +
         std::to_string(row_bytes) + " bytes");
  }
  Result result;
  result.rows = parity::CompareRows(instruction.tensor.dtype, instruction.columns,
                                    a.bytes / row_bytes, a.data, b.data);
  return result;
}

Result Executor::FindUnwritten(const Instruction& instruction, const Results& before) {
  Bytes scratch_a, scratch_b;
  const DType dtype = instruction.tensor.dtype;
  const View a = Resolve(instruction.tensor, instruction.a, scratch_a);
  const View b = Resolve(instruction.tensor, instruction.b, scratch_b);
  if (a.bytes != b.bytes) Fail(instruction.tensor.name + ": its size changed between two repeats");
  const ElementBits first = PoisonOf(instruction, 0), second = PoisonOf(instruction, 1);
  Result result;
  for (const ElementRun& range :
       RangesOf(instruction, before, ElementsIn(instruction.tensor, a.bytes))) {
    const std::uint64_t offset = range.first * BytesOf(dtype);
    for (const ElementRun& run :
         UnwrittenElements(dtype, a.data + offset, first, b.data + offset, second, range.count)) {
      result.ranges.push_back({range.first + run.first, run.count});
      result.count += run.count;
    }
  }
  return result;
}

Result Executor::FindChanged(const Instruction& instruction) {
  Bytes scratch_a, scratch_b;
  const View a = Resolve(instruction.tensor, instruction.a, scratch_a);
  const View b = Resolve(instruction.tensor, instruction.b, scratch_b);
  if (a.bytes != b.bytes) Fail(instruction.tensor.name + ": its size changed during a run");
  Result result;
  result.ranges = BlocksToElements(ChangedBlocks(a.data, b.data, a.bytes), a.bytes,
                                   BytesOf(instruction.tensor.dtype));
  for (const ElementRun& range : result.ranges) result.count += range.count;
  return result;
}

void Executor::Watch() {
  for (const WatchedTensor& watched : watched_) {
    Shadow& shadow = shadows_[watched.tensor.name];
    const parity_region region = Region(watched.tensor);
    if (!shadow.stale && shadow.bytes.size() == region.live_bytes) continue;
    const auto* data = static_cast<const std::uint8_t*>(region.data);
    shadow.bytes.assign(data, data + region.live_bytes);
    shadow.stale = false;
  }
  watching_ = true;
}

Result Executor::FindStrays(const Instruction& instruction) {
  watching_ = false;
  Result result;
  for (const WatchedTensor& watched : watched_) {
    const TensorRef& tensor = watched.tensor;
    Shadow& shadow = shadows_[tensor.name];
    const parity_region region = Region(tensor);
    const auto* data = static_cast<const std::uint8_t*>(region.data);
    if (region.live_bytes != shadow.bytes.size()) {
      Fail(tensor.name + ": its live size changed during a run");
    }
    if (std::equal(shadow.bytes.begin(), shadow.bytes.end(), data)) continue;
    shadow.stale = true;
    if (std::find(instruction.allowed.begin(), instruction.allowed.end(), tensor.name) !=
        instruction.allowed.end()) {
      continue;
    }
    ElementRanges outside = {{0, ElementsIn(tensor, region.live_bytes)}};
    if (const auto found = instruction.within.find(tensor.name);
        found != instruction.within.end()) {
      outside = Complement(found->second, outside[0].count);
    }
    Stray stray{.tensor = tensor.name};
    const std::uint32_t width = BytesOf(tensor.dtype);
    for (const ElementRun& range : outside) {
      for (std::uint64_t i = range.first * width; i < (range.first + range.count) * width; ++i) {
        if (data[i] == shadow.bytes[i]) continue;
        if (stray.bytes++ == 0) stray.first_offset = i;
      }
    }
    if (stray.bytes != 0) result.strays.push_back(std::move(stray));
  }
  return result;
}

}  // namespace parity
