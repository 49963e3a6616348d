#include "gtest_parity/manifest/program_plan.h"

#include "gtest_parity/manifest/decision_plan.h"

namespace parity {
namespace {

bool IsResult(const Tensor* tensor) {
  if (tensor == nullptr) return false;
  return tensor->kind == Kind::kState || tensor->role == Role::kOutput ||
         tensor->role == Role::kLogits || tensor->role == Role::kDecision;
}

bool IsReplicated(const Tensor* tensor) { return tensor != nullptr && tensor->replicated; }

void AddResult(const FlowPair& program, const TensorPair& pair, ProgramPlan* plan) {
  const Tensor& tensor = pair.any();
  if (tensor.kind == Kind::kState) {
    plan->states.push_back(pair.name);
  } else if (tensor.role == Role::kLogits) {
    plan->logits.push_back(pair.name);
  } else if (tensor.role == Role::kDecision) {
    plan->decisions.push_back(PlanDecision(program, pair));
  } else {
    plan->outputs.push_back(pair.name);
  }
}

// Why a result that both sides declare alike is not compared; empty: it is.
std::string WhyNot(const TensorPair& pair, const bool (&written)[2], const ProgramPlan& plan) {
  if (!plan.in_candidate) return "the candidate has no such program";
  if (!plan.in_reference) return "the reference has no such program";
  if (!pair.shared()) return pair.why_private;
  if (pair.flow == Flow::kConstant) return "written by a `once` program";
  if (!written[1]) return "written by the reference alone";
  if (!written[0]) return "written by the candidate alone";
  const Role ours = pair.declared[0]->role, theirs = pair.declared[1]->role;
  if (ours != theirs) {
    return NameOf(ours) + " in the reference, " + NameOf(theirs) + " in the candidate";
  }
  return "";
}

void AddTensor(const FlowPair& program, const TensorPair& pair, const bool (&written)[2],
               ProgramPlan* plan) {
  const int owner = written[0] && pair.declared[0] != nullptr ? kReference : kCandidate;
  const std::string why = WhyNot(pair, written, *plan);
  if (IsResult(pair.declared[0]) || IsResult(pair.declared[1])) {
    if (why.empty()) {
      AddResult(program, pair, plan);
    } else {
      plan->not_compared.push_back({pair.any().kind, pair.name, owner == kCandidate, why, false});
    }
  }
  const bool replicated[] = {IsReplicated(pair.declared[0]), IsReplicated(pair.declared[1])};
  if (pair.flow == Flow::kInput || !pair.shared() || !written[0] || !written[1]) return;
  if (!replicated[0] && !replicated[1]) return;
  if (program.pairs->ReachedByTapsAlone(pair)) {
    if (program.pairs->vars(kReference).at("ranks") < 2) return;
    plan->not_compared.push_back({pair.any().kind, pair.name, false,
                                  "whether ranks hold it alike: a side is tap-only and shows it "
                                  "only while it runs",
                                  false});
  } else if (replicated[0] && replicated[1]) {
    plan->replicated.push_back(pair.name);
  } else if (replicated[0] || replicated[1]) {
    plan->not_compared.push_back({pair.any().kind, pair.name, replicated[1],
                                  std::string("declared replicated by the ") +
                                      (replicated[1] ? "candidate" : "reference") + " alone",
                                  false});
  }
}

}  // namespace

void FillProgramPlan(const FlowPair& program, ProgramPlan* plan) {
  for (const TensorPair& pair : program.pairs->all()) {
    if (pair.flow == Flow::kIgnored || pair.flow == Flow::kConstant) continue;
    bool written[] = {false, false};
    for (std::size_t side = 0; side < 2; ++side) {
      if (program.flows[side] == nullptr || pair.declared[side] == nullptr) continue;
      for (std::uint32_t k = 0; k < pair.parts.intervals.size(); ++k) {
        written[side] |= program.flows[side]->WritesAnywhere(pair.first_atom + k);
      }
    }
    if (written[0] || written[1]) AddTensor(program, pair, written, plan);
  }
  SortDecisions(program, &plan->decisions);
}

}  // namespace parity
