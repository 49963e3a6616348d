#include "gtest_parity/manifest/describe_plan.h"

#include <algorithm>
#include <utility>

#include "gtest_parity/manifest/operand.h"
#include "gtest_parity/manifest/tensor_pairs.h"

namespace parity {
namespace {

// Lists of a large span would be unreadable in full; the count is always there.
constexpr std::size_t kMostNames = 16;

std::string Join(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostNames, names.size()); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMostNames) {
    text += " and " + std::to_string(names.size() - kMostNames) + " more";
  }
  return text;
}

std::string Count(std::size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

std::string Line(const std::string& title, const std::string& text) {
  if (text.empty()) return "";
  return "  " + title + std::string(title.size() < 14 ? 14 - title.size() : 1, ' ') + text + "\n";
}

// "[2, 7) linear x3, rope, kv_append"
std::string OpsText(const Description& side, const std::string& program, OpRange range) {
  std::string text = IntervalText(range.lo, range.hi);
  const Program* ops = side.FindProgram(program);
  std::vector<std::string> names;
  for (std::uint32_t i = range.lo; i < range.hi;) {
    std::uint32_t end = i + 1;
    while (end < range.hi && ops->ops[end].op == ops->ops[i].op) ++end;
    names.push_back(ops->ops[i].op + (end - i > 1 ? " x" + std::to_string(end - i) : ""));
    i = end;
  }
  return names.empty() ? text + " no op" : text + " " + Join(names);
}

std::string FrontierText(const FrontierTensor& tensor) {
  std::string text = tensor.kind == Kind::kState ? "state " + tensor.name : tensor.name;
  for (const TensorPart& part : tensor.compared_parts) {
    text += ' ';
    text += IntervalText(part.start, part.start + part.size);
    text += " of axis " + std::to_string(part.axis);
  }
  return text;
}

// What both sides declare differently is listed for each of them, and said once.
std::string NotComparedText(const std::vector<PrivateTensor>& tensors) {
  std::string text, last;
  for (const PrivateTensor& tensor : tensors) {
    const char* before =
        tensor.read_before_span ? "; read as it was before the span, not restored" : "";
    const std::string line = Line("not compared", tensor.name + ": " + tensor.reason + before);
    if (line != last) text += line;
    last = line;
  }
  return text;
}

// What a side's ops of the span write for one another alone: nobody compares it.
std::string WithinText(const Span& span, const Description& side,
                       const std::vector<std::string>& writes, const char* whose) {
  std::vector<std::string> within;
  for (const std::string& name : writes) {
    const auto is_it = [&](const auto& tensor) { return tensor.name == name; };
    const auto declared = side.tensors.find(name);
    if (declared == side.tensors.end()) continue;
    const Role role = declared->second.role;
    if (role == Role::kScratch || role == Role::kSync || role == Role::kConstant) continue;
    if (std::any_of(span.frontier.begin(), span.frontier.end(), is_it)) continue;
    if (std::any_of(span.not_compared.begin(), span.not_compared.end(), is_it)) continue;
    within.push_back(name);
  }
  return within.empty() ? "" : Join(within) + whose;
}

std::string WithinText(const Plan& plan, const Span& span) {
  const std::string ours =
      WithinText(span, plan.reference, span.reference_writes, " of the reference");
  const std::string theirs =
      WithinText(span, plan.candidate, span.candidate_writes, " of the candidate");
  return ours + (ours.empty() || theirs.empty() ? "" : "; ") + theirs;
}

std::string SpanText(const Plan& plan, const Span& span) {
  std::vector<std::string> restored, pure, updated, compared;
  for (const FrontierTensor& tensor : span.frontier) {
    FrontierTensor whole = tensor;
    whole.compared_parts.clear();
    const std::string name = FrontierText(whole);
    if (tensor.restored) restored.push_back(name);
    if (tensor.write == Write::kPure) pure.push_back(name);
    if (tensor.write == Write::kUpdate) updated.push_back(name);
    if (tensor.compared) compared.push_back(FrontierText(tensor));
  }
  std::string text = span.slug + "\n" + Line("label", span.label) +
                     Line("reference", OpsText(plan.reference, span.program, span.reference)) +
                     Line("candidate", OpsText(plan.candidate, span.program, span.candidate)) +
                     Line("restored", Join(restored)) + Line("poisoned", Join(pure)) +
                     Line("updated", Join(updated)) +
                     Line("compared", compared.empty() ? "nothing" : Join(compared)) +
                     Line("grown over", Join(span.grown_over)) +
                     Line("within", WithinText(plan, span));
  return text + NotComparedText(span.not_compared) + "\n";
}

std::string DecisionsText(const std::vector<DecisionPlan>& decisions) {
  std::string text;
  for (const DecisionPlan& decision : decisions) {
    std::string line = decision.name;
    line +=
        decision.unscored.empty() ? ", by " + decision.scores : ", no scores: " + decision.unscored;
    if (!decision.unforced.empty()) line += "; cannot be forced: " + decision.unforced;
    text += Line("decision", line);
  }
  return text;
}

std::string ProgramText(const Plan& plan, const ProgramPlan& program) {
  const auto spans = static_cast<std::size_t>(
      std::count_if(plan.spans.begin(), plan.spans.end(),
                    [&](const Span& span) { return span.program == program.name; }));
  std::string text = "program " + program.name + "\n";
  text += Line("ops", std::to_string(program.reference_ops) + " in the reference, " +
                          std::to_string(program.candidate_ops) + " in the candidate");
  if (program.in_reference && program.in_candidate) {
    text += Line("spans", std::to_string(spans) + (program.changed ? "" : ", nothing differs"));
  } else {
    text += Line("spans", std::string("none: the ") +
                              (program.in_reference ? "candidate" : "reference") +
                              " has no such program");
  }
  text += Line("logits", Join(program.logits)) + Line("outputs", Join(program.outputs)) +
          DecisionsText(program.decisions) + Line("states", Join(program.states)) +
          Line("replicated", Join(program.replicated)) +
          Line("not covered", Join(program.uncovered));
  return text + NotComparedText(program.not_compared);
}

std::string TransposeText(const std::vector<std::uint32_t>& axes) {
  std::string text;
  for (const std::uint32_t axis : axes) text += (text.empty() ? "" : ", ") + std::to_string(axis);
  return text.empty() ? "" : ", axes [" + text + "]";
}

// "q f32 [rows, 128] is [0, 2) of axis 1 of qkv bf16 [rows, 4, 64]"
std::string SeenText(const Tensor& tensor, const Vars& vars) {
  const Tensor& stored = tensor.seen->stored;
  const std::string of = stored.name + " " + DeclarationText(stored, vars);
  if (!tensor.seen->view) return tensor.name + " is what the views leave of " + of;
  const View& view = *tensor.seen->view;
  std::string text = tensor.name + " " + DeclarationText(tensor, vars) + " is ";
  if (view.slice) {
    const std::uint64_t start = view.slice->start.Evaluate(vars);
    text += IntervalText(start, start + view.slice->size.Evaluate(vars)) + " of axis " +
            std::to_string(view.slice->axis) + " of ";
  }
  return text + of + TransposeText(view.transpose) + (view.by_engine ? ", by the engine" : "");
}

std::string ViewsText(const Plan& plan) {
  std::string text;
  for (const auto& [side, name] :
       {std::pair{&plan.reference, "reference"}, std::pair{&plan.candidate, "candidate"}}) {
    const Vars vars = AtMost(*side, plan.manifest.ranks.count);
    for (const auto& [tensor_name, tensor] : side->tensors) {
      if (tensor.seen != nullptr) text += Line(name, SeenText(tensor, vars));
    }
  }
  return text.empty() ? "" : "views\n" + text + "\n";
}

}  // namespace

std::string DescribePlan(const Plan& plan) {
  std::string text;
  for (const Span& span : plan.spans) text += SpanText(plan, span);
  for (const ProgramPlan& program : plan.programs) text += ProgramText(plan, program) + "\n";
  return text + ViewsText(plan) + SummarizePlan(plan) + "\n";
}

std::string SummarizePlan(const Plan& plan) {
  const RankOptions& ranks = plan.manifest.ranks;
  return plan.manifest.name + ": " + plan.reference.engine + " against " + plan.candidate.engine +
         ", " + Count(ranks.count, "rank") + " in " + (ranks.in_threads ? "threads" : "processes") +
         ", " + Count(plan.spans.size(), "span") + " in " + Count(plan.programs.size(), "program") +
         (plan.unchanged ? ", the sides are the same" : "");
}

}  // namespace parity
