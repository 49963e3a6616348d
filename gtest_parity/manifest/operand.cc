#include "gtest_parity/manifest/operand.h"

#include <set>

namespace parity {
namespace {

bool IsFixedTerm(const std::string& term) {
  return term.empty() || term == "ranks" ||
         term.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

bool IsFixed(const Dim& dim) { return IsFixedTerm(dim.numerator) && IsFixedTerm(dim.denominator); }

Operand Resolve(const Description& description, const std::string& text) {
  Operand operand;
  if (const auto whole = description.tensors.find(text); whole != description.tensors.end()) {
    operand.tensor = &whole->second;
    return operand;
  }
  if (const auto peer = description.peers.find(text); peer != description.peers.end()) {
    const auto target = description.tensors.find(peer->second);
    operand.peer = true;
    if (target != description.tensors.end()) operand.tensor = &target->second;
    return operand;
  }
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return operand;
  const auto owner = description.tensors.find(text.substr(0, slash));
  if (owner == description.tensors.end()) return operand;
  const auto slice = owner->second.slices.find(text.substr(slash + 1));
  if (slice == owner->second.slices.end()) return operand;
  operand.tensor = &owner->second;
  operand.slice = &slice->second;
  return operand;
}

Vars AtMost(const Description& description, std::uint32_t ranks) {
  Vars vars(description.var_max.begin(), description.var_max.end());
  vars["ranks"] = ranks;
  return vars;
}

Parts CutIntoParts(const Tensor& tensor, const std::vector<const Slice*>& slices,
                   const Vars& vars) {
  Parts parts;
  // A slice of an axis that is not there is reported with its declaration.
  if (slices.empty() || slices[0]->axis >= tensor.shape.size()) return parts;
  std::set<std::uint64_t> cuts;
  for (const Slice* slice : slices) {
    if (slice->axis != slices[0]->axis || !IsFixed(slice->start) || !IsFixed(slice->size)) {
      return parts;
    }
    const std::uint64_t start = slice->start.Evaluate(vars);
    cuts.insert({start, start + slice->size.Evaluate(vars)});
  }
  const std::uint64_t extent = tensor.shape[slices[0]->axis].Evaluate(vars);
  cuts.insert({0, extent});
  parts.axis = static_cast<int>(slices[0]->axis);
  parts.intervals.clear();
  for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
    parts.intervals.emplace_back(*cut, *std::next(cut));
  }
  return parts;
}

}  // namespace parity
