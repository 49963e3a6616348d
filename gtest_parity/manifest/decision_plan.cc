#include "gtest_parity/manifest/decision_plan.h"

#include <algorithm>
#include <array>
#include <string>

namespace parity {
namespace {

constexpr const char* kSides[] = {"reference", "candidate"};

class DecisionPlanner {
 public:
  DecisionPlanner(const FlowPair& program, const TensorPair& decision)
      : program_(program), decision_(decision) {}

  DecisionPlan Make() const {
    DecisionPlan plan;
    plan.name = decision_.name;
    plan.scores = decision_.declared[kReference]->scores;
    plan.unscored = WhyUnscored(plan.scores);
    bool carried = false;
    ForEachAtom(decision_, [&](std::uint32_t atom) { carried |= (*program_.carried)[atom]; });
    const std::array<bool, 2> read = {ReadLater(kReference), ReadLater(kCandidate)};
    plan.steers = carried || read[kReference] || read[kCandidate];
    if (!plan.steers) return plan;
    for (const int side : {kReference, kCandidate}) {
      if (!carried && !read[static_cast<std::size_t>(side)]) {
        plan.unforced = std::string("no later op of the ") + kSides[side] + " reads it";
      }
      if (plan.unforced.empty()) plan.unforced = WhyNotAlone(side);
    }
    if (plan.unforced.empty()) plan.forced_before = LastWrite(kCandidate) + 1;
    return plan;
  }

 private:
  template <typename Body>
  static void ForEachAtom(const TensorPair& pair, const Body& body) {
    for (std::uint32_t k = 0; k < pair.parts.intervals.size(); ++k) body(pair.first_atom + k);
  }

  const DataFlow& FlowOf(int side) const { return *program_.flows[static_cast<std::size_t>(side)]; }

  std::uint32_t LastWrite(int side) const {
    std::uint32_t last = 0;
    ForEachAtom(decision_, [&](std::uint32_t atom) {
      const std::uint32_t write = FlowOf(side).LastWriteBefore(atom, FlowOf(side).size());
      if (write < FlowOf(side).size()) last = std::max(last, write);
    });
    return last;
  }

  bool ReadLater(int side) const {
    bool read = false;
    ForEachAtom(decision_, [&](std::uint32_t atom) {
      read |= FlowOf(side).ReadLater(atom, LastWrite(side) + 1);
    });
    return read;
  }

  // Why what follows from the decision on this side does not follow from its buffer alone.
  std::string WhyNotAlone(int side) const {
    const DataFlow& flow = FlowOf(side);
    const std::uint32_t op = LastWrite(side);
    if (side == kCandidate && program_.pairs->TapOnly(side)) {
      return "the candidate is tap-only: it runs whole programs";
    }
    std::string why;
    ForEachAtom(decision_, [&](std::uint32_t atom) {
      if (flow.NextWrite(atom, 0) != op)
        why = std::string("several ops of the ") + kSides[side] + " write it";
    });
    for (const Access& access : flow.accesses(op)) {
      const TensorPair& written = program_.pairs->at(program_.pairs->TensorOfAtom(access.atom));
      if (!access.write || &written == &decision_) continue;
      if (written.name == decision_.declared[static_cast<std::size_t>(side)]->scores) continue;
      if (!program_.Live(side, access.atom, op + 1)) continue;
      why = flow.op(op).label + " of the " + kSides[side] + " writes " + written.name +
            " too, which may follow from it";
    }
    return why;
  }

  std::string WhyUnscored(const std::string& scores) const {
    if (scores.empty()) return "the reference declares none";
    const TensorPair& pair = program_.pairs->at(program_.pairs->IndexOf(kReference, scores));
    const Tensor& tensor = *pair.declared[kReference];
    if (!IsFloat(tensor.dtype)) {
      return scores + " is " + std::string(NameOf(tensor.dtype)) + ", expected a float";
    }
    if (pair.flow != Flow::kTracked) return scores + " is no workspace, carry or output";
    if (program_.pairs->TapOnly(kReference) && tensor.role != Role::kLogits &&
        tensor.role != Role::kOutput) {
      return "the reference is tap-only and shows " + scores + " only while it runs";
    }
    const DataFlow& flow = FlowOf(kReference);
    std::string why;
    ForEachAtom(pair, [&](std::uint32_t atom) {
      if (flow.NextWrite(atom, LastWrite(kReference) + 1) < flow.size()) {
        why = "the reference overwrites " + scores + " later";
      }
    });
    return why;
  }

  const FlowPair& program_;
  const TensorPair& decision_;
};

}  // namespace

DecisionPlan PlanDecision(const FlowPair& program, const TensorPair& decision) {
  return DecisionPlanner(program, decision).Make();
}

void SortDecisions(const FlowPair& program, std::vector<DecisionPlan>* decisions) {
  const auto made_at = [&](const DecisionPlan& decision) {
    const std::uint32_t index = program.pairs->IndexOf(kCandidate, decision.name);
    return program.flows[kCandidate]->NextWrite(program.pairs->at(index).first_atom, 0);
  };
  std::stable_sort(
      decisions->begin(), decisions->end(),
      [&](const DecisionPlan& a, const DecisionPlan& b) { return made_at(a) < made_at(b); });
}

}  // namespace parity
