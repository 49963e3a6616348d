#include "gtest_parity/manifest/check_names.h"

#include <algorithm>
#include <map>

#include "gtest_parity/manifest/changed_spans.h"

namespace parity {
namespace {

std::string RangeText(OpRange range) { return IntervalText(range.lo, range.hi); }

class NameChecker {
 public:
  NameChecker(const Plan& plan, Diagnostics* errors) : plan_(plan), errors_(errors) {}

  void CheckEngine(const SideDeclaration& side, const Description& description) {
    if (side.engine == description.engine) return;
    Add(side.engine_at, "engine is not the one that " + side.description + " describes",
        Quoted(side.engine), Quoted(description.engine));
  }

  void CheckSpans() {
    std::map<std::string, std::pair<OpRange, OpRange>> before;
    for (const ExplicitSpan& span : plan_.manifest.explicit_spans) {
      const Program* programs[] = {plan_.reference.FindProgram(span.program),
                                   plan_.candidate.FindProgram(span.program)};
      if (programs[0] == nullptr || programs[1] == nullptr || programs[0]->once ||
          programs[1]->once) {
        Add(span.at, "a span of what both sides do not run as a program", Quoted(span.program),
            ExpectedName(span.program, SharedPrograms()));
        continue;
      }
      const OpRange ours{span.reference_lo, span.reference_hi};
      const OpRange theirs{span.candidate_lo, span.candidate_hi};
      CheckRange(span, "reference", ours, programs[0]->ops.size());
      CheckRange(span, "candidate", theirs, programs[1]->ops.size());
      if (ours.size() == 0 && theirs.size() == 0) {
        Add(span.at, "a span without ops", "", "ops on one side at least");
      }
      auto& [last_ours, last_theirs] = before[span.program];
      if (ours.lo < last_ours.hi || theirs.lo < last_theirs.hi) {
        Add(span.at, "spans of program " + span.program + " overlap or are out of order",
            RangeText(ours) + " and " + RangeText(theirs),
            "to begin at or after " + std::to_string(last_ours.hi) + " and " +
                std::to_string(last_theirs.hi));
      }
      last_ours = ours;
      last_theirs = theirs;
    }
  }

  void CheckTolerance(const Tolerance& tolerance) {
    std::vector<std::string> programs, spans, tensors;
    for (const ProgramPlan& program : plan_.programs) programs.push_back(program.name);
    for (const Span& span : plan_.spans) spans.push_back(span.slug);
    for (const Description* side : {&plan_.reference, &plan_.candidate}) {
      for (const auto& [name, tensor] : side->tensors) tensors.push_back(name);
    }
    CheckName(tolerance, "program", tolerance.program, programs);
    CheckName(tolerance, "span", tolerance.span, spans);
    CheckName(tolerance, "buffer", tolerance.buffer, tensors);
  }

  void CheckChanged(const ChangedSpans& changed) {
    std::vector<std::string> spans;
    for (const Span& span : plan_.spans) spans.push_back(span.slug);
    const auto named = [&](const std::string& slug) { return NamesSpan(changed.span, slug); };
    if (std::any_of(spans.begin(), spans.end(), named)) return;
    Add(changed.at, "judge.changed names no span", Quoted(changed.span),
        ExpectedName(changed.span, spans));
  }

 private:
  void Add(Position at, std::string what, std::string got, std::string expected) {
    errors_->Add({plan_.manifest.path, at, std::move(what), std::move(got), std::move(expected)});
  }

  void CheckRange(const ExplicitSpan& span, const std::string& side, OpRange range,
                  std::size_t ops) {
    if (range.hi <= ops) return;
    Add(span.at, side + " ops of program " + span.program, RangeText(range),
        "a range within " + IntervalText(0, ops));
  }

  void CheckName(const Tolerance& tolerance, const std::string& noun, const std::string& name,
                 const std::vector<std::string>& known) {
    if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
    Add(tolerance.at, "a tolerance for an unknown " + noun, Quoted(name),
        ExpectedName(name, known));
  }

  std::vector<std::string> SharedPrograms() const {
    std::vector<std::string> names;
    for (const Program& program : plan_.reference.programs) {
      const Program* other = plan_.candidate.FindProgram(program.name);
      if (!program.once && other != nullptr && !other->once) names.push_back(program.name);
    }
    return names;
  }

  const Plan& plan_;
  Diagnostics* errors_;
};

}  // namespace

void CheckDeclaredNames(const Plan& plan, Diagnostics* errors) {
  NameChecker checker(plan, errors);
  checker.CheckEngine(plan.manifest.reference, plan.reference);
  checker.CheckEngine(plan.manifest.candidate, plan.candidate);
  checker.CheckSpans();
}

void CheckTolerances(const Plan& plan, Diagnostics* errors) {
  NameChecker checker(plan, errors);
  for (const Tolerance& tolerance : plan.manifest.judge.tolerances) {
    checker.CheckTolerance(tolerance);
  }
  for (const ChangedSpans& changed : plan.manifest.judge.changed) checker.CheckChanged(changed);
}

}  // namespace parity
