#include "gtest_parity/replay/span_script.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "gtest_parity/manifest/operand.h"
#include "kernels/convert.h"

namespace parity {

SpanOnSide::SpanOnSide(const Span& span, const Description& side, const OpRange& ops,
                       const std::vector<std::string>& writes)
    : span_(span), side_(side), ops_(ops), writes_(writes) {}

TensorRef SpanOnSide::Ref(std::size_t i) const {
  const FrontierTensor& of = tensor(i);
  return {of.kind, of.name, side_.tensors.at(of.name).dtype};
}

std::optional<ValueRange> SpanOnSide::DomainOf(std::size_t i) const {
  return side_.tensors.at(tensor(i).name).domain;
}

bool SpanOnSide::ShowsUnwritten(std::size_t i) const {
  if (tensor(i).write != Write::kPure) return false;
  const Tensor& of = side_.tensors.at(tensor(i).name);
  const DType stored = of.seen != nullptr ? of.seen->stored.dtype : of.dtype;
  return PoisonThrough(stored, of.dtype, PoisonKind::kQuietNaN, of.domain) !=
         PoisonThrough(stored, of.dtype, PoisonKind::kLargeFinite, of.domain);
}

void SpanOnSide::Prepare(Script& script, std::uint32_t which,
                         const std::function<Source(std::size_t)>& before) const {
  for (std::size_t i = 0; i < size(); ++i) {
    if (Restored(i)) {
      script.Restore(Ref(i), before(i));
    } else if (tensor(i).write == Write::kPure) {
      script.Poison(Ref(i), which, DomainOf(i));
    }
  }
  for (const std::string& name : writes_) {
    const auto found = side_.tensors.find(name);
    if (found == side_.tensors.end() || found->second.role != Role::kScratch) continue;
    script.Poison({found->second.kind, name, found->second.dtype}, which, std::nullopt);
  }
}

std::optional<std::uint32_t> SpanOnSide::TapOf(std::size_t i) const {
  const std::vector<Op>& ops = side_.FindProgram(span_.program)->ops;
  for (std::uint32_t op = ops_.hi; op-- > ops_.lo;) {
    for (const auto* list : {&ops[op].writes, &ops[op].updates}) {
      for (const std::string& text : *list) {
        const Operand operand = Resolve(side_, text);
        if (operand.tensor != nullptr && !operand.peer && operand.tensor->name == tensor(i).name) {
          return op;
        }
      }
    }
  }
  return std::nullopt;
}

ElementRanges SpanOnSide::DeclaredByBoth(std::size_t i, const Vars& vars) const {
  const std::vector<std::uint64_t> shape = side_.tensors.at(tensor(i).name).Shape(vars);
  const auto product = [](auto begin, auto end) {
    return std::accumulate(begin, end, std::uint64_t{1}, std::multiplies<>());
  };
  if (tensor(i).compared_parts.empty()) return {{0, product(shape.begin(), shape.end())}};
  ElementRanges ranges;
  for (const TensorPart& part : tensor(i).compared_parts) {
    const auto axis = shape.begin() + static_cast<std::ptrdiff_t>(part.axis);
    const std::uint64_t inner = product(axis + 1, shape.end());
    for (std::uint64_t outer = 0; outer < product(shape.begin(), axis); ++outer) {
      ranges.push_back({(outer * *axis + part.start) * inner, part.size * inner});
    }
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const ElementRun& a, const ElementRun& b) { return a.first < b.first; });
  return ranges;
}

std::vector<std::string> SpanOnSide::Free() const {
  std::vector<std::string> free;
  for (const std::string& name : writes_) {
    const auto compared = std::find_if(
        span_.frontier.begin(), span_.frontier.end(),
        [&](const FrontierTensor& tensor) { return tensor.name == name && tensor.compared; });
    if (compared == span_.frontier.end()) free.push_back(name);
  }
  return free;
}

}  // namespace parity
