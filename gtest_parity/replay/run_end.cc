#include "gtest_parity/replay/run_end.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>

#include "gtest_parity/manifest/operand.h"

namespace parity {
namespace {

// What has a domain: outputs and decisions.
std::vector<std::string> Finals(const ProgramPlan& program) {
  std::vector<std::string> names = program.outputs;
  for (const DecisionPlan& decision : program.decisions) names.push_back(decision.name);
  return names;
}

DomainViolation Violation(const OutsideRange& outside, const ValueRange& domain) {
  return {outside.count, outside.first_index, outside.first_value, domain.min, domain.max};
}

// Between two repeats of scores; infinite where one side alone has a NaN or an infinity.
double ScoreDistance(const ElementStats& scores) {
  const bool numbers = scores.nan_only_reference + scores.nan_only_candidate +
                           scores.infinity_only_reference + scores.infinity_only_candidate +
                           scores.infinity_opposite ==
                       0;
  return numbers ? scores.max_abs : std::numeric_limits<double>::infinity();
}

}  // namespace

const ProgramPlan& RunEndScript::ProgramOf(const WorkloadRun& run) const {
  const auto found = std::find_if(plan_.programs.begin(), plan_.programs.end(),
                                  [&](const ProgramPlan& p) { return p.name == run.program; });
  if (found == plan_.programs.end()) throw std::logic_error("no program " + run.program);
  return *found;
}

TensorRef RunEndScript::Ref(const std::string& name) const {
  const Tensor& tensor = side_.tensors.at(name);
  return {tensor.kind, name, tensor.dtype};
}

void RunEndScript::CheckDomains(Script& script, const ProgramPlan& program,
                                RunEndIndices& indices) const {
  for (const std::string& name : Finals(program)) {
    const std::optional<ValueRange>& domain = plan_.reference.tensors.at(name).domain;
    if (!domain) continue;
    indices.domains[name] = script.CheckDomain(Ref(name), Source::Live(), *domain);
  }
  if (plan_.manifest.ranks.count < 2) return;
  for (const std::string& name : program.replicated) {
    indices.digests[name] = script.Digest(Ref(name), Source::Live());
  }
}

RunEndIndices RunEndScript::Keep(Script& script, const Workload& workload,
                                 std::size_t run_index) const {
  RunEndIndices indices;
  const WorkloadRun& run = workload.runs[run_index];
  const ProgramPlan& program = ProgramOf(run);
  for (const std::string& name : program.logits) indices.images[name] = script.Keep(Ref(name));
  for (const std::string& name : Finals(program)) indices.images[name] = script.Keep(Ref(name));
  for (const DecisionPlan& decision : program.decisions) {
    if (!decision.unscored.empty() || indices.images.contains(decision.scores)) continue;
    indices.images[decision.scores] = script.Keep(Ref(decision.scores));
  }
  CheckDomains(script, program, indices);
  for (const std::string& name : program.states) {
    if (!IsDue(side_.tensors.at(name), workload, run_index)) continue;
    indices.states[name] = script.Keep(Ref(name));
  }
  return indices;
}

RunEnd RunEndScript::Kept(const RunEndIndices& indices, const Results& results) const {
  RunEnd kept;
  const auto image = [&](std::size_t index, const std::string& name) {
    if (results[index].exhausted) {
      throw std::runtime_error(
          "the recording's memory budget does not hold the logits and outputs of "
          "the workload (at " +
          name + "): raise `memory_budget`, or declare `spill`");
    }
    return results[index].image;
  };
  for (const auto& [name, index] : indices.images) kept.images[name] = image(index, name);
  for (const auto& [name, index] : indices.states) kept.states[name] = image(index, name);
  for (const auto& [name, index] : indices.digests) kept.digests[name] = results[index].digest;
  for (const auto& [name, index] : indices.domains) kept.checked[name] = results[index].count;
  kept.domains = Domains(indices, results);
  return kept;
}

void RunEndScript::CompareDecision(Script& script, const WorkloadRun& run,
                                   const DecisionPlan& decision, const RunEnd& kept,
                                   RunEndIndices& indices) const {
  RunEndIndices::Decision at;
  const TensorRef tensor = Ref(decision.name);
  const Source reference = Source::Of(kept.images.at(decision.name));
  at.taken_from = ScoresOf(plan_.reference, decision.name, decision.unscored,
                           VarsOf(run, plan_.manifest.ranks.count));
  const bool scored = at.taken_from.unscored.empty();
  const Source scores = scored ? Source::Of(kept.images.at(decision.scores)) : Source::Live();
  at.elements = script.Elements(tensor, reference, Source::Live());
  at.choices = script.Decisions(tensor, reference, Source::Live(), at.taken_from.tensor,
                                at.taken_from.columns, scores);
  // The reference's distance from itself: what the candidate's is does not count.
  if (scored && &side_ == &plan_.reference) {
    at.scores = script.Elements(at.taken_from.tensor, scores, Source::Live());
  }
  if (const auto& domain = plan_.reference.tensors.at(decision.name).domain) {
    at.domain = script.CheckDomain(tensor, Source::Live(), *domain);
  }
  indices.decisions[decision.name] = std::move(at);
}

void RunEndScript::Compare(Script& script, const Workload& workload, std::size_t run_index,
                           const RunEnd& kept, RunEndIndices& indices) const {
  const WorkloadRun& run = workload.runs[run_index];
  const ProgramPlan& program = ProgramOf(run);
  const Vars vars = VarsOf(run, plan_.manifest.ranks.count);
  for (const std::string& name : program.logits) {
    const auto columns = static_cast<std::uint32_t>(side_.tensors.at(name).Shape(vars).back());
    const Source reference = Source::Of(kept.images.at(name));
    indices.rows[name] = script.Rows(Ref(name), columns, reference, Source::Live());
    indices.elements[name] = script.Elements(Ref(name), reference, Source::Live());
  }
  for (const std::string& name : program.outputs) {
    indices.elements[name] =
        script.Elements(Ref(name), Source::Of(kept.images.at(name)), Source::Live());
  }
  for (const DecisionPlan& decision : program.decisions) {
    if (indices.decisions.contains(decision.name)) continue;
    CompareDecision(script, run, decision, kept, indices);
  }
  CheckDomains(script, program, indices);
  for (const std::string& name : program.states) {
    const Tensor& state = side_.tensors.at(name);
    if (!IsDue(state, workload, run_index)) continue;
    indices.states[name] = script.Elements(
        Ref(name), Source::Of(kept.states.at(name)), Source::Live(),
        WrittenStateRanges(state, side_, workload, run_index, plan_.manifest.ranks.count));
  }
}

std::map<std::string, DomainViolation> RunEndScript::Domains(const RunEndIndices& indices,
                                                             const Results& results) const {
  std::map<std::string, DomainViolation> domains;
  for (const auto& [name, index] : indices.domains) {
    domains[name] = Violation(results[index].outside, *plan_.reference.tensors.at(name).domain);
  }
  return domains;
}

void RunEndScript::Compared(const RunEndIndices& indices, const Results& results,
                            const WorkloadRun& run, int rank, FreeRunEvidence& evidence) const {
  for (const auto& [name, index] : indices.rows) {
    const ElementStats& elements = results[indices.elements.at(name)].elements;
    evidence.rows.push_back({.rank = rank,
                             .run = run.name,
                             .tensor = name,
                             .nonfinite_candidate_only = elements.nan_only_candidate +
                                                         elements.infinity_only_candidate +
                                                         elements.infinity_opposite,
                             .rows = results[index].rows});
  }
  const auto add = [&](const std::string& name, std::size_t index, bool state) {
    FinalComparison final;
    final.rank = rank;
    final.run = state && run.last_of_scenario ? run.scenario : run.name;
    final.tensor = name;
    final.state = state;
    final.dtype = side_.tensors.at(name).dtype;
    final.stats = results[index].elements;
    if (const auto domain = indices.domains.find(name); domain != indices.domains.end()) {
      final.domain = Domains(indices, results).at(name);
    }
    evidence.finals.push_back(std::move(final));
  };
  for (const auto& [name, index] : indices.elements) {
    if (!indices.rows.contains(name)) add(name, index, false);
  }
  for (const auto& [name, index] : indices.states) add(name, index, true);
  AddDecisions(indices, results, run, rank, evidence);
}

void RunEndScript::AddDecisions(const RunEndIndices& indices, const Results& results,
                                const WorkloadRun& run, int rank, FreeRunEvidence& evidence) const {
  for (const DecisionPlan& planned : ProgramOf(run).decisions) {
    const RunEndIndices::Decision& at = indices.decisions.at(planned.name);
    DecisionComparison decision;
    decision.values.rank = rank;
    decision.values.run = run.name;
    decision.values.tensor = planned.name;
    decision.values.dtype = side_.tensors.at(planned.name).dtype;
    decision.values.stats = results[at.elements].elements;
    if (at.domain) {
      decision.values.domain =
          Violation(results[*at.domain].outside, *plan_.reference.tensors.at(planned.name).domain);
    }
    decision.flips = results[at.choices].decisions;
    decision.scores = at.taken_from.tensor.name;
    decision.unscored = at.taken_from.unscored;
    if (at.scores) decision.score_distance = ScoreDistance(results[*at.scores].elements);
    if (at.restored) {
      decision.unforced = results[*at.restored].words;
      decision.forced = decision.unforced.empty();
    }
    evidence.decisions.push_back(std::move(decision));
  }
}

bool IsDue(const Tensor& state, const Workload& workload, std::size_t run_index) {
  const WorkloadRun& run = workload.runs[run_index];
  if (run.last_of_scenario) return true;
  if (std::all_of(state.shape.begin(), state.shape.end(), IsFixed)) return false;
  std::set<std::uint32_t> later;
  for (std::size_t at = run_index; !workload.runs[at].last_of_scenario; ++at) {
    for (const WorkloadRun::Sequence& sequence : workload.runs[at + 1].sequences) {
      later.insert(sequence.slot);
    }
  }
  return std::any_of(run.sequences.begin(), run.sequences.end(),
                     [&](const auto& sequence) { return !later.contains(sequence.slot); });
}

ElementRanges WrittenStateRanges(const Tensor& state, const Description& side,
                                 const Workload& workload, std::size_t last_run,
                                 std::uint32_t ranks) {
  const WorkloadRun& run = workload.runs[last_run];
  const std::vector<std::uint64_t> shape = state.Shape(VarsOf(run, ranks));
  const auto product = [&](std::size_t from) {
    return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(from), shape.end(),
                           std::uint64_t{1}, std::multiplies<>());
  };
  if (!state.paged || !side.paging || shape.size() < 2 || shape[1] != side.paging->page_tokens) {
    return {{0, product(0)}};
  }
  const std::uint64_t token_elements = product(2);
  const std::uint64_t page_tokens = side.paging->page_tokens;
  ElementRanges ranges;
  std::map<std::uint32_t, Step::Sequence> latest;  // by slot: a sequence may end before the others
  for (std::size_t at = last_run;; --at) {
    const std::shared_ptr<const Step> step = StepFor(workload.runs[at], side, workload.seed);
    for (const Step::Sequence& sequence : step->sequences)
      latest.try_emplace(sequence.slot, sequence);
    if (workload.runs[at].first_of_scenario || at == 0) break;
  }
  for (const auto& [slot, sequence] : latest) {
    const std::uint64_t length = sequence.past + sequence.rows;
    for (std::uint64_t page = 0; page * page_tokens < length; ++page) {
      const std::uint64_t tokens = std::min(page_tokens, length - page * page_tokens);
      const auto physical = static_cast<std::uint64_t>(sequence.pages[page]);
      ranges.push_back({physical * page_tokens * token_elements, tokens * token_elements});
    }
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const ElementRun& a, const ElementRun& b) { return a.first < b.first; });
  return ranges;
}

}  // namespace parity
