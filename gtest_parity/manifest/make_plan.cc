#include "gtest_parity/manifest/make_plan.h"

#include <algorithm>
#include <future>
#include <memory>

#include "gtest_parity/manifest/check_names.h"
#include "gtest_parity/manifest/frontier.h"
#include "gtest_parity/manifest/program_match.h"
#include "gtest_parity/manifest/program_plan.h"
#include "gtest_parity/manifest/read_description.h"
#include "gtest_parity/manifest/see_through_views.h"
#include "gtest_parity/manifest/slug.h"

namespace parity {
namespace {

class Planner {
 public:
  Planner(const ImplementationPair& identities, Plan* plan)
      : plan_(plan),
        identities_(identities),
        sides_{&plan->reference, &plan->candidate},
        pairs_(sides_, plan->manifest.ranks.count) {}

  void Run() {
    plan_->unchanged = true;
    unlike_ = UnlikeConstants(pairs_, sides_, identities_, &plan_->unchanged);
    FindEndLive();
    for (const Program& program : sides_[0]->programs) {
      if (program.once) continue;
      const Program* other = sides_[1]->FindProgram(program.name);
      const bool both = other != nullptr && !other->once;
      both ? PlanBoth(program, *other) : PlanOne(kReference, program);
    }
    for (const Program& program : sides_[1]->programs) {
      const Program* other = sides_[0]->FindProgram(program.name);
      if (!program.once && (other == nullptr || other->once)) PlanOne(kCandidate, program);
    }
  }

 private:
  // Live at a program's end: what the caller reads, what persists, and what any program reads
  // before it writes it. For what both sides share, what one of them keeps alive is alive.
  void FindEndLive() {
    end_live_.assign(pairs_.atom_count(), false);
    carried_ = end_live_;
    for (std::uint32_t atom = 0; atom < pairs_.atom_count(); ++atom) {
      for (const Tensor* tensor : pairs_.at(pairs_.TensorOfAtom(atom)).declared) {
        if (tensor != nullptr && Outlives(*tensor)) end_live_[atom] = true;
      }
    }
    for (std::size_t side = 0; side < 2; ++side) {
      for (const Program& program : sides_[side]->programs) {
        if (program.once) continue;
        const DataFlow flow(pairs_, static_cast<int>(side), *sides_[side], program);
        for (std::uint32_t atom = 0; atom < pairs_.atom_count(); ++atom) {
          const bool input = pairs_.at(pairs_.TensorOfAtom(atom)).flow == Flow::kInput;
          if (!input && flow.ReadLater(atom, 0)) end_live_[atom] = carried_[atom] = true;
        }
      }
    }
  }

  static bool Outlives(const Tensor& tensor) {
    return tensor.kind == Kind::kState || tensor.role == Role::kOutput ||
           tensor.role == Role::kLogits || tensor.role == Role::kDecision ||
           tensor.role == Role::kCarry;
  }

  void PlanBoth(const Program& reference, const Program& candidate) {
    DataFlow ours(pairs_, kReference, *sides_[0], reference);
    DataFlow theirs(pairs_, kCandidate, *sides_[1], candidate);
    const auto matches = MatchPrograms(pairs_, identities_, unlike_, &ours, &theirs);
    const FlowPair program{&pairs_, &end_live_, &carried_, {&ours, &theirs}};
    ProgramPlan summary;
    summary.name = reference.name;
    summary.reference_ops = ours.size();
    summary.candidate_ops = theirs.size();
    const auto same = static_cast<std::size_t>(std::count_if(
        matches.begin(), matches.end(), [](const OpMatch& match) { return match.same; }));
    summary.changed = same != ours.size() || same != theirs.size();
    plan_->unchanged = plan_->unchanged && !summary.changed;
    const SpanSelection selection = plan_->manifest.selection;
    if (selection == SpanSelection::kExplicit) {
      AddExplicit(program, matches, &summary);
    } else {
      for (Piece& piece : CutIntoSpans(program, matches, selection == SpanSelection::kOps)) {
        if (!piece.gap) AddSpan(program, reference.name, std::move(piece));
      }
    }
    FillProgramPlan(program, &summary);
    plan_->programs.push_back(std::move(summary));
  }

  void AddSpan(const FlowPair& program, const std::string& name, Piece piece) {
    Span span;
    span.program = name;
    span.reference = piece.reference;
    span.candidate = piece.candidate;
    span.grown_over = std::move(piece.grown_over);
    // The reference's labels, so that names do not move with the candidate's.
    const bool ours = span.reference.size() > 0;
    const DataFlow& flow = *program.flows[ours ? 0 : 1];
    const OpRange range = ours ? span.reference : span.candidate;
    if (range.size() > 0) {
      const std::string &first = flow.op(range.lo).label, &last = flow.op(range.hi - 1).label;
      span.label = SpanLabel(first, last);
      span.slug = slugs_.Make(name, first, last);
    }
    FillFrontier(program, &span);
    plan_->spans.push_back(std::move(span));
  }

  void AddExplicit(const FlowPair& program, const std::vector<OpMatch>& matches,
                   ProgramPlan* summary) {
    std::vector<bool> covered[] = {std::vector<bool>(program.flows[0]->size()),
                                   std::vector<bool>(program.flows[1]->size())};
    for (const ExplicitSpan& declared : plan_->manifest.explicit_spans) {
      if (declared.program != summary->name) continue;
      Piece piece;
      piece.reference = {declared.reference_lo, declared.reference_hi};
      piece.candidate = {declared.candidate_lo, declared.candidate_hi};
      std::fill_n(covered[0].begin() + piece.reference.lo, piece.reference.size(), true);
      std::fill_n(covered[1].begin() + piece.candidate.lo, piece.candidate.size(), true);
      AddSpan(program, summary->name, std::move(piece));
    }
    for (const OpMatch& match : matches) {
      if (match.same) covered[0][match.reference] = covered[1][match.candidate] = true;
    }
    for (std::size_t side = 0; side < 2; ++side) {
      for (std::uint32_t i = 0; i < covered[side].size(); ++i) {
        const std::string& label = program.flows[side]->op(i).label;
        if (!covered[side][i] && !Contains(summary->uncovered, label)) {
          summary->uncovered.push_back(label);
        }
      }
    }
  }

  static bool Contains(const std::vector<std::string>& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
  }

  void PlanOne(int side, const Program& program) {
    const auto index = static_cast<std::size_t>(side);
    const DataFlow flow(pairs_, side, *sides_[index], program);
    FlowPair pair{&pairs_, &end_live_, &carried_, {nullptr, nullptr}};
    pair.flows[index] = &flow;
    ProgramPlan summary;
    summary.name = program.name;
    summary.changed = true;
    summary.in_reference = side == kReference;
    summary.in_candidate = side == kCandidate;
    (side == kReference ? summary.reference_ops : summary.candidate_ops) = flow.size();
    plan_->unchanged = false;
    FillProgramPlan(pair, &summary);
    plan_->programs.push_back(std::move(summary));
  }

  Plan* plan_;
  ImplementationPair identities_;
  DescriptionPair sides_;
  TensorPairs pairs_;
  std::set<std::uint32_t> unlike_;
  std::vector<bool> end_live_, carried_;
  SlugMaker slugs_;
};

// What happens inside a server cannot be seen.
void ExpectPlugins(const Manifest& manifest, Diagnostics* errors) {
  for (const auto& [name, side] :
       {std::pair{"reference", &manifest.reference}, std::pair{"candidate", &manifest.candidate}}) {
    if (!side->server) continue;
    errors->Add({manifest.path, side->server_at, std::string(name) + ".server", "a server",
                 "an engine plugin (library, engine, description): this is asked inside an engine, "
                 "which a server does not show"});
  }
}

}  // namespace

Plan MakePlan(Manifest manifest, const std::optional<LibraryHashes>& recorded) {
  Plan plan;
  plan.manifest = std::move(manifest);
  Diagnostics errors;
  ExpectPlugins(plan.manifest, &errors);
  errors.ThrowIfAny();
  const std::uint32_t ranks = plan.manifest.ranks.count;
  // Of 10,000 spans reading is more than half the work, and the two have nothing to do with each
  // other.
  std::future<Description> theirs = std::async(std::launch::async, [&plan, ranks] {
    return ReadDescription(plan.manifest.candidate.description, ranks);
  });
  for (const bool candidate : {false, true}) {
    const SideDeclaration& side = candidate ? plan.manifest.candidate : plan.manifest.reference;
    try {
      (candidate ? plan.candidate : plan.reference) =
          candidate ? theirs.get() : ReadDescription(side.description, ranks);
    } catch (const InvalidInput& error) {
      // The same file on both sides would say everything twice.
      const bool again = candidate && side.description == plan.manifest.reference.description;
      if (!again) errors.Append(error.diagnostics());
    }
  }
  errors.ThrowIfAny();
  const SideDeclaration& declared = plan.manifest.reference;
  const Implementation reference(declared, recorded ? *recorded : HashLibrary(declared.library));
  const Implementation candidate(plan.manifest.candidate);
  CheckDeclaredNames(plan, &errors);
  errors.ThrowIfAny();
  PlanSpans(reference, candidate, &plan);
  CheckTolerances(plan, &errors);
  errors.ThrowIfAny();
  return plan;
}

void PlanSpans(const Implementation& reference, const Implementation& candidate, Plan* plan) {
  SeeThroughViews(&plan->reference, &plan->candidate, plan->manifest.ranks.count);
  Planner({&reference, &candidate}, plan).Run();
}

}  // namespace parity
