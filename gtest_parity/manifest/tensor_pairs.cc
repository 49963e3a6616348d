#include "gtest_parity/manifest/tensor_pairs.h"

#include <set>

namespace parity {
namespace {

const char* kSideNames[] = {"reference", "candidate"};

// Names of buffers that programs of the side write: the `once` ones, or all others.
std::set<std::string> BuffersWritten(const Description& description, bool once) {
  std::set<std::string> names;
  for (const Program& program : description.programs) {
    if (program.once != once) continue;
    for (const Op& op : program.ops) {
      for (const auto* list : {&op.writes, &op.updates}) {
        for (const std::string& text : *list) {
          const Operand operand = Resolve(description, text);
          if (operand.tensor == nullptr || operand.tensor->kind == Kind::kState) continue;
          names.insert(operand.tensor->name);
        }
      }
    }
  }
  return names;
}

// What `once` programs of either side write and no program does that is driven.
std::set<std::string> SetupBuffers(const DescriptionPair& sides) {
  std::set<std::string> names;
  for (const Description* side : sides) names.merge(BuffersWritten(*side, true));
  for (const Description* side : sides) {
    for (const std::string& name : BuffersWritten(*side, false)) names.erase(name);
  }
  return names;
}

bool IsPrivateToOps(const Tensor& tensor) {
  return tensor.kind == Kind::kBuffer &&
         (tensor.role == Role::kScratch || tensor.role == Role::kSync);
}

std::string Noun(const Tensor& tensor) { return tensor.kind == Kind::kBuffer ? "buffer" : "state"; }

std::string NoCounterpart(const char* other, const Tensor& tensor) {
  if (tensor.seen != nullptr && !tensor.seen->view) {
    return "what the views of " + tensor.seen->stored.name + " leave of it";
  }
  std::string text = std::string("the ") + other + " has no such " + Noun(tensor);
  std::string views;
  for (const View& view : tensor.views) views += (views.empty() ? "" : ", ") + view.name;
  return views.empty() ? text : text + ", nor what it can be seen as: " + views;
}

}  // namespace

std::string CanonicalDim(const Dim& dim, const Vars& vars) {
  const auto fixed = [](const std::string& term) {
    return term == "ranks" || term.find_first_not_of("0123456789") == std::string::npos;
  };
  if (fixed(dim.numerator) && fixed(dim.denominator)) return std::to_string(dim.Evaluate(vars));
  if (dim.denominator.empty() || !fixed(dim.denominator)) return dim.Text();
  const std::uint64_t below = Dim{dim.denominator, ""}.Evaluate(vars);
  return below == 1 ? dim.numerator : dim.numerator + "/" + std::to_string(below);
}

std::string DeclarationText(const Tensor& tensor, const Vars& vars) {
  std::string text = std::string(NameOf(tensor.dtype)) + " [";
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + CanonicalDim(tensor.shape[i], vars);
  }
  return text + (tensor.paged ? "] paged" : "]");
}

TensorPairs::TensorPairs(const DescriptionPair& sides, std::uint32_t ranks)
    : sides_(sides), vars_{AtMost(*sides[0], ranks), AtMost(*sides[1], ranks)} {
  for (const auto& [name, reference] : sides[kReference]->tensors) {
    const auto found = sides[kCandidate]->tensors.find(name);
    if (found == sides[kCandidate]->tensors.end()) {
      AddPair(&reference, nullptr, NoCounterpart(kSideNames[1], reference));
      continue;
    }
    const Tensor& candidate = found->second;
    if (const std::string why = WhyHidden(reference); !why.empty()) {
      AddPair(&reference, nullptr, why);
      AddPair(nullptr, &candidate, why);
      continue;
    }
    const std::string ours = DeclarationText(reference, vars_[0]);
    const std::string theirs = DeclarationText(candidate, vars_[1]);
    if (reference.kind == candidate.kind && ours == theirs &&
        IsPrivateToOps(reference) == IsPrivateToOps(candidate)) {
      AddPair(&reference, &candidate, "");
      continue;
    }
    const std::string why = "declared differently: " + Noun(reference) + " " + ours + " in the " +
                            kSideNames[0] + ", " + Noun(candidate) + " " + theirs + " in the " +
                            kSideNames[1];
    AddPair(&reference, nullptr, why);
    AddPair(nullptr, &candidate, why);
  }
  for (const auto& [name, candidate] : sides[kCandidate]->tensors) {
    if (!sides[kReference]->tensors.contains(name)) {
      AddPair(nullptr, &candidate, NoCounterpart(kSideNames[0], candidate));
    }
  }
  const std::set<std::string> setup = SetupBuffers(sides);
  for (TensorPair& pair : pairs_) {
    SetFlow(&pair);
    const bool is_setup = pair.any().kind == Kind::kBuffer && setup.contains(pair.name);
    if (is_setup && pair.flow != Flow::kIgnored) pair.flow = Flow::kConstant;
    if (pair.flow == Flow::kConstant) pair.constant_alike = pair.shared();
    pair.first_atom = atom_count();
    if (pair.flow != Flow::kTracked && pair.flow != Flow::kInput) continue;
    const auto index = static_cast<std::uint32_t>(&pair - pairs_.data());
    tensor_of_atom_.insert(tensor_of_atom_.end(), pair.parts.intervals.size(), index);
  }
}

bool TensorPairs::ReachedByTapsAlone(const TensorPair& pair) const {
  for (std::size_t side = 0; side < 2; ++side) {
    if (!sides_[side]->tap_only || pair.declared[side] == nullptr) continue;
    const Role role = pair.declared[side]->role;
    if (role != Role::kOutput && role != Role::kLogits && role != Role::kDecision) return true;
  }
  return false;
}

std::string TensorPairs::WhyHidden(const Tensor& tensor) const {
  if (tensor.kind != Kind::kState) return "";
  for (std::size_t side = 0; side < 2; ++side) {
    if (!sides_[side]->tap_only) continue;
    return std::string("a state of the ") + kSideNames[side] +
           ", which is tap-only: nothing reaches it";
  }
  return "";
}

void TensorPairs::AddPair(const Tensor* reference, const Tensor* candidate,
                          const std::string& why) {
  TensorPair pair;
  pair.declared = {reference, candidate};
  pair.why_private = why;
  pair.name = pair.any().name;
  std::vector<const Slice*> slices;
  for (std::size_t side = 0; side < 2; ++side) {
    if (pair.declared[side] == nullptr) continue;
    for (const auto& [name, slice] : pair.declared[side]->slices) slices.push_back(&slice);
    index_[side][pair.name] = static_cast<std::uint32_t>(pairs_.size());
  }
  pair.parts = CutIntoParts(pair.any(), slices, vars_[reference != nullptr ? 0 : 1]);
  pairs_.push_back(std::move(pair));
}

void TensorPairs::SetFlow(TensorPair* pair) const {
  pair->flow = Flow::kTracked;
  for (const Tensor* tensor : pair->declared) {
    if (tensor == nullptr || tensor->kind == Kind::kState) continue;
    if (IsPrivateToOps(*tensor)) pair->flow = Flow::kIgnored;
    if (tensor->role == Role::kConstant) pair->flow = Flow::kConstant;
    if (tensor->role == Role::kInput && pair->flow == Flow::kTracked) pair->flow = Flow::kInput;
  }
}

TensorPairs::Range TensorPairs::AtomsOf(int side, const Operand& operand) const {
  const TensorPair& pair = at(IndexOf(side, operand.tensor->name));
  Range range{pair.first_atom,
              pair.first_atom + static_cast<std::uint32_t>(pair.parts.intervals.size()), true};
  if (operand.slice == nullptr) return range;
  if (pair.parts.axis < 0) {
    range.whole_atoms = false;
    return range;
  }
  const std::uint64_t start = operand.slice->start.Evaluate(vars(side));
  const std::uint64_t end = start + operand.slice->size.Evaluate(vars(side));
  const auto& intervals = pair.parts.intervals;
  while (range.lo < range.hi && intervals[range.lo - pair.first_atom].first < start) ++range.lo;
  while (range.hi > range.lo && intervals[range.hi - 1 - pair.first_atom].second > end) --range.hi;
  return range;
}

}  // namespace parity
