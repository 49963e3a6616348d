#include "gtest_parity/replay/traffic.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <string>

namespace parity {
namespace {

// How many tokens of a run's sequences are in a state: before and with this run, or of it alone.
std::uint64_t TokensOf(const WorkloadRun& run, bool with_past) {
  std::uint64_t tokens = 0;
  for (const WorkloadRun::Sequence& sequence : run.sequences) {
    tokens += sequence.tokens.size() + (with_past ? sequence.past : 0);
  }
  return tokens;
}

class Traffic {
 public:
  Traffic(const Plan& plan, bool reference, const WorkloadRun& run)
      : side_(reference ? plan.reference : plan.candidate),
        run_(run),
        vars_(VarsOf(run, plan.manifest.ranks.count)) {}

  // `slice`: empty for the whole tensor.
  std::uint64_t Bytes(const std::string& name, const std::string& slice, bool with_past) const {
    const Tensor& tensor = side_.tensors.at(name);
    std::vector<std::uint64_t> shape = tensor.Shape(vars_);
    if (const auto part = tensor.slices.find(slice); part != tensor.slices.end()) {
      shape[part->second.axis] = part->second.size.Evaluate(vars_);
    }
    std::uint64_t elements =
        std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
    const bool paged = tensor.paged && side_.paging && shape.size() >= 2 &&
                       shape[1] == side_.paging->page_tokens && shape[0] * shape[1] != 0;
    if (paged) elements = elements / (shape[0] * shape[1]) * TokensOf(run_, with_past);
    return BytesOf(tensor.dtype, elements);
  }

  std::uint64_t Constants(const Program& program, std::uint32_t lo, std::uint32_t hi) const {
    std::set<std::string> operands;
    for (std::uint32_t i = lo; i < hi; ++i) {
      operands.insert(program.ops[i].reads.begin(), program.ops[i].reads.end());
    }
    std::uint64_t bytes = 0;
    for (const std::string& operand : operands) {
      const std::size_t slash = operand.find('/');
      const std::string name = operand.substr(0, slash);
      const auto found = side_.tensors.find(name);
      if (found == side_.tensors.end() || found->second.role != Role::kConstant) continue;
      bytes += Bytes(name, slash == std::string::npos ? "" : operand.substr(slash + 1), false);
    }
    return bytes;
  }

  const Description& side() const { return side_; }

 private:
  const Description& side_;
  const WorkloadRun& run_;
  Vars vars_;
};

}  // namespace

std::uint64_t SpanTraffic(const Plan& plan, const Span& span, bool reference,
                          const WorkloadRun& run) {
  const Traffic traffic(plan, reference, run);
  const OpRange& ops = reference ? span.reference : span.candidate;
  const Program* program = traffic.side().FindProgram(span.program);
  std::uint64_t bytes = traffic.Constants(*program, ops.lo, ops.hi);
  for (const FrontierTensor& tensor : span.frontier) {
    // A state that is written in part is not read for that.
    const bool read =
        tensor.restored && !(tensor.kind == Kind::kState && tensor.write == Write::kUpdate);
    if (read) bytes += traffic.Bytes(tensor.name, "", true);
    if (tensor.write != Write::kNone) bytes += traffic.Bytes(tensor.name, "", false);
  }
  return bytes;
}

std::uint64_t ProgramTraffic(const Plan& plan, const std::string& name, bool reference,
                             const WorkloadRun& run) {
  const Traffic traffic(plan, reference, run);
  const Program* program = traffic.side().FindProgram(name);
  std::uint64_t bytes =
      traffic.Constants(*program, 0, static_cast<std::uint32_t>(program->ops.size()));
  for (const ProgramPlan& planned : plan.programs) {
    if (planned.name != name) continue;
    for (const auto* written : {&planned.logits, &planned.outputs}) {
      for (const std::string& tensor : *written) bytes += traffic.Bytes(tensor, "", false);
    }
    for (const DecisionPlan& decision : planned.decisions) {
      bytes += traffic.Bytes(decision.name, "", false);
    }
    for (const std::string& state : planned.states) {
      bytes += traffic.Bytes(state, "", true) + traffic.Bytes(state, "", false);
    }
  }
  return bytes;
}

}  // namespace parity
