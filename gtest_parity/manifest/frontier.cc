#include "gtest_parity/manifest/frontier.h"

#include <algorithm>
#include <map>
#include <set>

namespace parity {
namespace {

// What one side's ops of the span do to an atom.
struct Touch {
  bool exposed = false;  // read, or left in part, while it has its content from before the span
  bool written = false;
  bool killed = false;
};

class FrontierBuilder {
 public:
  FrontierBuilder(const FlowPair& program, Span* span) : program_(program), span_(span) {}

  void Build() {
    Walk(kReference, span_->reference, &span_->reference_writes);
    Walk(kCandidate, span_->candidate, &span_->candidate_writes);
    std::set<std::uint32_t> tensors;
    for (const auto& touches : touches_) {
      for (const auto& [atom, touch] : touches) tensors.insert(program_.pairs->TensorOfAtom(atom));
    }
    for (const std::uint32_t tensor : tensors) {
      const TensorPair& pair = program_.pairs->at(tensor);
      pair.shared() ? AddShared(pair) : AddPrivate(pair);
    }
    const auto order = [](const auto& a, const auto& b) {
      return std::tie(a.kind, a.name) < std::tie(b.kind, b.name);
    };
    std::sort(span_->frontier.begin(), span_->frontier.end(), order);
    std::stable_sort(span_->not_compared.begin(), span_->not_compared.end(), order);
  }

 private:
  void Walk(int side, OpRange range, std::vector<std::string>* writes) {
    const DataFlow& flow = *program_.flows[static_cast<std::size_t>(side)];
    std::map<std::uint32_t, Touch>& touches = touches_[side];
    std::set<std::string> names;
    for (std::uint32_t i = range.lo; i < range.hi; ++i) {
      for (const Access& access : flow.accesses(i)) {
        Touch& touch = touches[access.atom];
        if (!touch.killed && (access.read || (access.write && !access.kill))) touch.exposed = true;
        touch.written |= access.write;
        touch.killed |= access.kill;
      }
      for (const std::uint32_t tensor : flow.writes(i)) {
        names.insert(program_.pairs->at(tensor).name);
      }
    }
    writes->assign(names.begin(), names.end());
  }

  Touch TouchOf(int side, std::uint32_t atom) const {
    const auto found = touches_[side].find(atom);
    return found == touches_[side].end() ? Touch() : found->second;
  }

  bool LiveAfter(std::uint32_t atom) const {
    return program_.Live(0, atom, span_->reference.hi) ||
           program_.Live(1, atom, span_->candidate.hi);
  }

  void AddShared(const TensorPair& pair) {
    FrontierTensor tensor;
    tensor.kind = pair.any().kind;
    tensor.name = pair.name;
    bool written[] = {false, false}, whole[] = {true, true};
    bool alone[] = {false, false};  // live, and the other side does not write it
    std::vector<bool> compared;
    for (std::uint32_t k = 0; k < pair.parts.intervals.size(); ++k) {
      const std::uint32_t atom = pair.first_atom + k;
      const Touch touches[] = {TouchOf(0, atom), TouchOf(1, atom)};
      for (int side = 0; side < 2; ++side) {
        tensor.restored |= touches[side].exposed;
        written[side] |= touches[side].written;
        whole[side] = whole[side] && touches[side].killed;
      }
      const bool live = LiveAfter(atom);
      compared.push_back(live && touches[0].written && touches[1].written);
      for (int side = 0; side < 2; ++side) {
        alone[side] |= live && touches[side].written && !touches[1 - side].written;
      }
    }
    if (written[0] || written[1]) {
      const bool pure = !tensor.restored && !alone[0] && !alone[1] && (!written[0] || whole[0]) &&
                        (!written[1] || whole[1]);
      tensor.write = pure ? Write::kPure : Write::kUpdate;
      tensor.restored |= !pure;
    }
    SetCompared(pair, compared, &tensor);
    for (int side = 0; side < 2; ++side) {
      if (!alone[side]) continue;
      AddNotCompared(pair, side == kCandidate,
                     std::string(tensor.compared ? "in part " : "") + "written by the " +
                         (side == kCandidate ? "candidate" : "reference") + " alone",
                     false);
    }
    span_->frontier.push_back(std::move(tensor));
  }

  // Parts are named where something else of the tensor is written, but not compared.
  void SetCompared(const TensorPair& pair, const std::vector<bool>& compared,
                   FrontierTensor* tensor) const {
    bool others = false;
    for (std::uint32_t k = 0; k < compared.size(); ++k) {
      const std::uint32_t atom = pair.first_atom + k;
      tensor->compared = tensor->compared || compared[k];
      others |= !compared[k] && (TouchOf(0, atom).written || TouchOf(1, atom).written);
    }
    if (!tensor->compared || !others) return;
    for (std::uint32_t k = 0; k < compared.size(); ++k) {
      if (!compared[k]) continue;
      const auto& [lo, hi] = pair.parts.intervals[k];
      auto& parts = tensor->compared_parts;
      if (!parts.empty() && parts.back().start + parts.back().size == lo) {
        parts.back().size += hi - lo;
      } else {
        parts.push_back({static_cast<std::uint32_t>(pair.parts.axis), lo, hi - lo});
      }
    }
  }

  void AddPrivate(const TensorPair& pair) {
    if (pair.flow == Flow::kInput) return;  // each side's `stage` provides its own
    const int side = pair.declared[0] != nullptr ? kReference : kCandidate;
    const std::uint32_t end = side == 0 ? span_->reference.hi : span_->candidate.hi;
    bool before = false, after = false;
    for (std::uint32_t k = 0; k < pair.parts.intervals.size(); ++k) {
      const std::uint32_t atom = pair.first_atom + k;
      const Touch touch = TouchOf(side, atom);
      before |= touch.exposed;
      after |= touch.written && program_.Live(side, atom, end);
    }
    if (before || after) AddNotCompared(pair, side == kCandidate, pair.why_private, before);
  }

  void AddNotCompared(const TensorPair& pair, bool candidate, std::string reason, bool before) {
    span_->not_compared.push_back(
        {pair.any().kind, pair.name, candidate, std::move(reason), before});
  }

  const FlowPair& program_;
  Span* span_;
  std::map<std::uint32_t, Touch> touches_[2];
};

}  // namespace

void FillFrontier(const FlowPair& program, Span* span) { FrontierBuilder(program, span).Build(); }

}  // namespace parity
