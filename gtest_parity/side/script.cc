#include "gtest_parity/side/script.h"

#include <utility>

namespace parity {
namespace {

Instruction Just(Do what) {
  Instruction instruction;
  instruction.what = what;
  return instruction;
}

Instruction OfState(Do what, std::uint32_t slot, std::string path) {
  Instruction instruction = Just(what);
  instruction.slot = slot;
  instruction.path = std::move(path);
  return instruction;
}

Instruction On(Do what, const TensorRef& tensor) {
  Instruction instruction = Just(what);
  instruction.tensor = tensor;
  return instruction;
}

Instruction Between(Do what, const TensorRef& tensor, Source a, Source b) {
  Instruction instruction = On(what, tensor);
  instruction.a = std::move(a);
  instruction.b = std::move(b);
  return instruction;
}

}  // namespace

std::size_t Script::Add(Instruction instruction) {
  instruction.tap = tap_;
  instructions_.push_back(std::move(instruction));
  return instructions_.size() - 1;
}

std::size_t Script::Reset() { return Add(Just(Do::kReset)); }

std::size_t Script::Stage(std::shared_ptr<const Step> step) {
  Instruction instruction = Just(Do::kStage);
  instruction.step = std::move(step);
  return Add(std::move(instruction));
}

std::size_t Script::Run(const std::string& program, std::uint32_t lo, std::uint32_t hi) {
  Instruction instruction = Just(Do::kRun);
  instruction.program = program;
  instruction.lo = lo;
  instruction.hi = hi;
  return Add(std::move(instruction));
}

std::size_t Script::RunWhole(const std::string& program, std::uint32_t ops) {
  const std::size_t index = Run(program, 0, ops);
  instructions_[index].whole = true;
  return index;
}

std::size_t Script::RunTapped(const std::string& program, std::uint32_t ops) {
  const std::size_t index = Run(program, 0, ops);
  instructions_[index].what = Do::kRunTapped;
  return index;
}

std::size_t Script::Keep(const TensorRef& tensor) { return Add(On(Do::kKeep, tensor)); }

std::size_t Script::Hold(const TensorRef& tensor, std::string into) {
  Instruction instruction = On(Do::kHold, tensor);
  instruction.into = std::move(into);
  return Add(std::move(instruction));
}

std::size_t Script::Restore(const TensorRef& tensor, Source from,
                            std::optional<ElementRanges> ranges) {
  Instruction instruction = On(Do::kRestore, tensor);
  instruction.a = std::move(from);
  instruction.ranges = std::move(ranges);
  return Add(std::move(instruction));
}

std::size_t Script::Poison(const TensorRef& tensor, std::uint32_t which,
                           std::optional<ValueRange> domain) {
  Instruction instruction = On(Do::kPoison, tensor);
  instruction.which = which;
  instruction.domain = domain;
  return Add(std::move(instruction));
}

std::size_t Script::Elements(const TensorRef& tensor, Source a, Source b,
                             std::optional<ElementRanges> ranges) {
  Instruction instruction = Between(Do::kElements, tensor, std::move(a), std::move(b));
  instruction.ranges = std::move(ranges);
  return Add(std::move(instruction));
}

std::size_t Script::ElementsWithin(const TensorRef& tensor, Source a, Source b,
                                   std::size_t ranges_of) {
  Instruction instruction = Between(Do::kElements, tensor, std::move(a), std::move(b));
  instruction.ranges_of = static_cast<std::uint32_t>(ranges_of);
  return Add(std::move(instruction));
}

std::size_t Script::Rows(const TensorRef& tensor, std::uint32_t columns, Source a, Source b) {
  Instruction instruction = Between(Do::kRows, tensor, std::move(a), std::move(b));
  instruction.columns = columns;
  return Add(std::move(instruction));
}

std::size_t Script::Decisions(const TensorRef& tensor, Source a, Source b, const TensorRef& scores,
                              std::uint32_t columns, Source taken_from) {
  Instruction instruction = Between(Do::kDecisions, tensor, std::move(a), std::move(b));
  instruction.scores = scores;
  instruction.columns = columns;
  instruction.c = std::move(taken_from);
  return Add(std::move(instruction));
}

std::size_t Script::Unwritten(const TensorRef& tensor, Source a, Source b,
                              std::optional<ValueRange> domain,
                              std::optional<ElementRanges> ranges) {
  Instruction instruction = Between(Do::kUnwritten, tensor, std::move(a), std::move(b));
  instruction.domain = domain;
  instruction.ranges = std::move(ranges);
  return Add(std::move(instruction));
}

std::size_t Script::Written(const TensorRef& tensor, Source a, Source b,
                            std::optional<ValueRange> domain) {
  Instruction instruction = Between(Do::kWritten, tensor, std::move(a), std::move(b));
  instruction.domain = domain;
  return Add(std::move(instruction));
}

std::size_t Script::Changed(const TensorRef& tensor, Source a, Source b) {
  return Add(Between(Do::kChanged, tensor, std::move(a), std::move(b)));
}

std::size_t Script::CheckDomain(const TensorRef& tensor, Source a, const ValueRange& domain) {
  Instruction instruction = Between(Do::kDomain, tensor, std::move(a), {});
  instruction.domain = domain;
  return Add(std::move(instruction));
}

std::size_t Script::Digest(const TensorRef& tensor, Source a) {
  return Add(Between(Do::kDigest, tensor, std::move(a), {}));
}

std::size_t Script::Bytes(const TensorRef& tensor, Source a) {
  return Add(Between(Do::kBytes, tensor, std::move(a), {}));
}

std::size_t Script::Watch() { return Add(Just(Do::kWatch)); }

std::size_t Script::Strays(std::vector<std::string> allowed,
                           std::map<std::string, ElementRanges> within) {
  Instruction instruction = Just(Do::kStrays);
  instruction.allowed = std::move(allowed);
  instruction.within = std::move(within);
  return Add(std::move(instruction));
}

std::size_t Script::ChangedConstants() { return Add(Just(Do::kConstants)); }

std::size_t Script::Prove(const TensorRef& view) { return Add(On(Do::kProve, view)); }

std::size_t Script::CopyRate() { return Add(Just(Do::kCopyRate)); }

std::size_t Script::Ask(TokenQuestion question) {
  Instruction instruction = Just(Do::kAsk);
  instruction.question = std::make_shared<const TokenQuestion>(std::move(question));
  return Add(std::move(instruction));
}

std::size_t Script::Serve(std::string request) {
  Instruction instruction = Just(Do::kServe);
  instruction.request = std::move(request);
  return Add(std::move(instruction));
}

std::size_t Script::Counters() { return Add(Just(Do::kCounters)); }

std::size_t Script::SaveState(std::uint32_t slot, std::string path) {
  return Add(OfState(Do::kSaveState, slot, std::move(path)));
}

std::size_t Script::LoadState(std::uint32_t slot, std::string path) {
  return Add(OfState(Do::kLoadState, slot, std::move(path)));
}

}  // namespace parity
