#include "gtest_parity/replay/run_end.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <stdexcept>

#include "gtest_parity/manifest/operand.h"

namespace parity {
namespace {

std::vector<std::string> Finals(const ProgramPlan& program) {
  std::vector<std::string> names = program.outputs;
  names.insert(names.end(), program.decisions.begin(), program.decisions.end());
  return names;
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

RunEndIndices RunEndScript::Compare(Script& script, const Workload& workload, std::size_t run_index,
                                    const RunEnd& kept) const {
  RunEndIndices indices;
  const WorkloadRun& run = workload.runs[run_index];
  const ProgramPlan& program = ProgramOf(run);
  const Vars vars = VarsOf(run, plan_.manifest.ranks.count);
  for (const std::string& name : program.logits) {
    const auto columns = static_cast<std::uint32_t>(side_.tensors.at(name).Shape(vars).back());
    const Source reference = Source::Of(kept.images.at(name));
    indices.rows[name] = script.Rows(Ref(name), columns, reference, Source::Live());
    indices.elements[name] = script.Elements(Ref(name), reference, Source::Live());
  }
  for (const std::string& name : Finals(program)) {
    indices.elements[name] =
        script.Elements(Ref(name), Source::Of(kept.images.at(name)), Source::Live());
  }
  CheckDomains(script, program, indices);
  for (const std::string& name : program.states) {
    const Tensor& state = side_.tensors.at(name);
    if (!IsDue(state, workload, run_index)) continue;
    indices.states[name] = script.Elements(
        Ref(name), Source::Of(kept.states.at(name)), Source::Live(),
        WrittenStateRanges(state, side_, workload, run_index, plan_.manifest.ranks.count));
  }
  return indices;
}

std::map<std::string, DomainViolation> RunEndScript::Domains(const RunEndIndices& indices,
                                                             const Results& results) const {
  std::map<std::string, DomainViolation> domains;
  for (const auto& [name, index] : indices.domains) {
    const OutsideRange& outside = results[index].outside;
    const ValueRange& domain = *plan_.reference.tensors.at(name).domain;
    domains[name] = {outside.count, outside.first_index, outside.first_value, domain.min,
                     domain.max};
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
