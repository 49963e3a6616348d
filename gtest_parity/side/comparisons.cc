#include "gtest_parity/side/comparisons.h"

#include "gtest_parity/engine/error.h"
#include "gtest_parity/side/ranges.h"
#include "gtest_parity/side/value_text.h"
#include "kernels/convert.h"

namespace parity {
namespace {

[[noreturn]] void Fail(const std::string& words) { throw EngineError(PARITY_FAILED, words); }

std::uint64_t ElementsIn(const TensorRef& tensor, std::uint64_t bytes) {
  return parity::ElementsIn(tensor.dtype, bytes);
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

ElementBits PoisonOf(const Instruction& instruction, std::uint32_t which, DType stored) {
  return PoisonThrough(stored, instruction.tensor.dtype,
                       which == 0 ? PoisonKind::kQuietNaN : PoisonKind::kLargeFinite,
                       instruction.domain);
}

std::vector<Result> CompareElements(Device& device, const std::vector<ElementsAsked>& asked,
                                    const Results& before) {
  std::vector<ComparedArrays> pairs;
  for (const auto& [instruction, a, b] : asked) {
    const TensorRef& tensor = instruction->tensor;
    if (a.bytes != b.bytes) {
      Fail(tensor.name + ": " + std::to_string(b.bytes) + " bytes, the reference had " +
           std::to_string(a.bytes));
    }
    pairs.push_back({tensor.dtype, a.data, b.data,
                     RangesOf(*instruction, before, ElementsIn(tensor, a.bytes))});
  }
  const std::vector<ElementStats> stats = device.CompareElements(pairs);
  std::vector<Result> results(asked.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].elements = stats[i];
    if (stats[i].Identical()) continue;
    const std::uint64_t worst = stats[i].worst_index != ElementStats::kNoIndex
                                    ? stats[i].worst_index
                                    : stats[i].first_index;
    results[i].worst_values = {ValueText(device, pairs[i].dtype, asked[i].a.data, worst),
                               ValueText(device, pairs[i].dtype, asked[i].b.data, worst)};
  }
  return results;
}

Result CompareRows(Device& device, const Instruction& instruction, ByteView a, ByteView b) {
  const std::uint64_t elements = ElementsIn(instruction.tensor, a.bytes);
  if (a.bytes != b.bytes || instruction.columns == 0 || elements % instruction.columns != 0) {
    Fail(instruction.tensor.name + ": " + std::to_string(b.bytes) + " bytes against " +
         std::to_string(a.bytes) + ", expected the same number of rows of " +
         std::to_string(instruction.columns) + " " + std::string(NameOf(instruction.tensor.dtype)));
  }
  Result result;
  result.rows = device.CompareRows(instruction.tensor.dtype, instruction.columns,
                                   elements / instruction.columns, a.data, b.data);
  return result;
}

Result CompareChoices(Device& device, const Instruction& instruction, ByteView a, ByteView b,
                      ByteView taken_from) {
  if (a.bytes != b.bytes) {
    Fail(instruction.tensor.name + ": " + std::to_string(b.bytes) + " bytes, the reference had " +
         std::to_string(a.bytes));
  }
  DecisionScores scores;
  if (!instruction.scores.name.empty()) {
    const std::uint64_t elements = ElementsIn(instruction.scores, taken_from.bytes);
    if (instruction.columns == 0 || elements % instruction.columns != 0) {
      Fail(instruction.scores.name + ": " + std::to_string(elements) +
           " elements, expected whole rows of " + std::to_string(instruction.columns));
    }
    scores = {instruction.scores.dtype, taken_from.data, elements / instruction.columns,
              instruction.columns};
  }
  Result result;
  result.decisions = device.CompareDecisions(instruction.tensor.dtype, a.data, b.data,
                                             ElementsIn(instruction.tensor, a.bytes), scores);
  return result;
}

Result FindUnwritten(Device& device, const Instruction& instruction, ByteView a, ByteView b,
                     const Results& before, DType stored) {
  const DType dtype = instruction.tensor.dtype;
  if (a.bytes != b.bytes) Fail(instruction.tensor.name + ": its size changed between two repeats");
  const ElementBits first = PoisonOf(instruction, 0, stored),
                    second = PoisonOf(instruction, 1, stored);
  Result result;
  result.ranges = device.UnwrittenElements(
      dtype, a.data, first, b.data, second,
      RangesOf(instruction, before, ElementsIn(instruction.tensor, a.bytes)));
  for (const ElementRun& run : result.ranges) result.count += run.count;
  return result;
}

Result FindWritten(Device& device, const Instruction& instruction, ByteView a, ByteView b,
                   const Results& before, DType stored) {
  const Result unwritten = FindUnwritten(device, instruction, a, b, before, stored);
  const std::uint64_t elements = ElementsIn(instruction.tensor, a.bytes);
  Result result;
  result.ranges = Complement(unwritten.ranges, elements);
  result.count = elements - unwritten.count;
  return result;
}

Result FindChanged(Device& device, const Instruction& instruction, ByteView a, ByteView b) {
  if (a.bytes != b.bytes) Fail(instruction.tensor.name + ": its size changed during a run");
  Result result;
  result.ranges = BlocksToElements(device.ChangedBlocks(a.data, b.data, a.bytes), a.bytes,
                                   instruction.tensor.dtype);
  for (const ElementRun& range : result.ranges) result.count += range.count;
  return result;
}

Result CheckDomain(Device& device, const Instruction& instruction, ByteView a) {
  Result result;
  result.count = ElementsIn(instruction.tensor, a.bytes);
  result.outside =
      device.CountOutside(instruction.tensor.dtype, a.data, result.count, *instruction.domain);
  return result;
}

}  // namespace parity
