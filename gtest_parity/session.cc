#include "gtest_parity/session.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "gtest_parity/manifest/sha256.h"
#include "gtest_parity/replay/side_files.h"
#include "gtest_parity/side/copy_rate.h"
#include "gtest_parity/side/engine_in_this_process.h"
#include "gtest_parity/side/engine_process.h"

namespace parity {
namespace {

using Clock = std::chrono::steady_clock;

// Adds the time until it goes out of scope.
class Timer {
 public:
  explicit Timer(double& seconds) : seconds_(seconds) {}
  ~Timer() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  double& seconds_;
  Clock::time_point begin_ = Clock::now();
};

Verdict Trouble(Outcome outcome, const std::string& summary) {
  Verdict verdict;
  verdict.outcome = outcome;
  verdict.summary = summary;
  verdict.findings.push_back(summary);
  return verdict;
}

std::vector<Case> AskedOf(const std::vector<Case>& selected) {
  std::vector<Case> asked;
  std::copy_if(selected.begin(), selected.end(), std::back_inserter(asked),
               [](const Case& which) { return which.kind == CaseKind::kAsked; });
  return asked;
}

}  // namespace

Session::Session(Plan plan, SessionOptions options, const MakeInquiry& inquiry)
    : plan_(std::move(plan)),
      options_(std::move(options)),
      workload_(MakeWorkload(plan_.manifest.workload, plan_.reference)),
      candidate_([this] { return StartSide(false); }) {
  for (WorkloadRun& run : workload_.runs) {
    if (NeedsEveryRun(plan_) && run.kept.empty()) run.kept = "tap-only";
  }
  if (inquiry) inquiry_ = inquiry(plan_, workload_);
}

std::vector<Case> Session::Cases() const {
  if (!inquiry_) return CasesOf(plan_);
  std::vector<Case> cases = PreflightCases();
  for (Case& which : inquiry_->Cases()) cases.push_back(std::move(which));
  return cases;
}

std::unique_ptr<Side> Session::StartSide(bool reference) {
  const SideDeclaration& declared = reference ? plan_.manifest.reference : plan_.manifest.candidate;
  SideOptions side;
  side.name = reference ? "reference" : "candidate";
  side.library = declared.library;
  side.engine = declared.engine;
  side.config = declared.config;
  side.env = declared.env;
  side.library_path = declared.library_path;
  side.ranks = plan_.manifest.ranks.count;
  side.in_threads = plan_.manifest.ranks.in_threads;
  side.description = reference ? plan_.reference : plan_.candidate;
  side.description_json = ReadJson(declared.description);
  side.chunks = memory_->chunks();
  side.records = reference;
  side.deadline_seconds = plan_.manifest.deadline_seconds;
  side.memory_limit_bytes = declared.memory_limit_bytes;
  TimeLog& times = reference ? reference_times_ : candidate_times_;
  if (options_.in_process) {
    return Timed(std::make_unique<EngineInThisProcess>(std::move(side)), times);
  }
  HostOptions host;
  host.program = options_.host_program;
  host.wrapper = options_.host_wrapper;
  if (!options_.log_folder.empty()) host.log_path = options_.log_folder + "/" + side.name + ".log";
  return Timed(std::make_unique<EngineProcess>(std::move(side), std::move(host)), times);
}

void Session::RecordReference(const std::vector<Case>& selected) {
  for (const SideDeclaration* side : {&plan_.manifest.reference, &plan_.manifest.candidate}) {
    if (side->backend == "host") continue;
    reference_trouble_ = parity::Trouble(
        Outcome::kBlocked, "this build has no backend '" + side->backend + "', only 'host'");
    SetProperty(*reference_trouble_, "needs", "gpu");
    return;
  }
  try {
    if (options_.recorded) return LoadReference();
    // A recording on disk is for whatever case somebody selects later.
    const bool kept = !options_.record_folder.empty();
    const RecordRequest request = RequestFor(kept ? CasesOf(plan_) : selected);
    memory_ = std::make_unique<RecordingMemory>(
        plan_.manifest.ranks.count, plan_.manifest.memory_budget_bytes, plan_.manifest.spill);
    double load_seconds = 0;
    std::unique_ptr<Side> reference;
    {
      Timer timer(load_seconds);
      reference = StartSide(true);
    }
    ProveReferenceViews(*reference);
    if (reference_trouble_) return;
    auto probes = ProbeReference(kept ? CasesOf(plan_) : selected, *reference);
    if (request.Any()) reference_copy_rates_ = CopyRates(*reference, plan_.manifest.ranks.count);
    recording_ = Record(plan_, workload_, request, *reference, options_.progress);
    recording_.probes = std::move(probes);
    recording_.seconds.load = load_seconds;
    recording_.times = reference_times_;
    recording_.copy_rates = reference_copy_rates_;
    if (inquiry_) {
      Timer timer(recording_.seconds.record);
      inquiry_->AskReference(*reference, AskedOf(selected));
    }
    reference_provenance_ = reference->provenance();
    evidence_ = reference->is_evidence();
    reference_identity_ = IdentityOf(plan_.manifest.reference, reference->MappedObjects());
    reference.reset();
    memory_->Seal();
    for (const std::vector<int>& chunks : memory_->chunks()) pages_.emplace_back(chunks, false);
    if (kept) KeepRecording();
  } catch (const SideFailure& failure) {
    reference_trouble_ =
        parity::Trouble(Outcome::kError, "the reference broke: " + failure.death().Text());
  } catch (const std::exception& error) {
    reference_trouble_ = parity::Trouble(Outcome::kError, error.what());
  }
}

SideIdentity Session::IdentityOf(const SideDeclaration& side,
                                 const std::vector<std::string>& objects) const {
  SideIdentity identity;
  identity.engine = side.engine;
  identity.config = ConfigWithoutFolders(side.config).dump();
  identity.mode = std::to_string(plan_.manifest.ranks.count) + " ranks in " +
                  (plan_.manifest.ranks.in_threads ? "threads" : "processes");
  for (const auto& [name, value] : side.env) identity.mode += ", " + name + "=" + value;
  identity.weights_hash = HashOfFilesIn(side.config);
  for (const std::string& object : objects) {
    identity.objects.emplace_back(std::filesystem::path(object).filename().string(),
                                  HashFile(object));
  }
  return identity;
}

void Session::StartCandidate() {
  if (reference_trouble_) return;
  try {
    {
      Timer timer(candidate_load_seconds_);
      candidate_.Get();
    }
    candidate_provenance_ = candidate_.Get().provenance();
    evidence_ &= candidate_.Get().is_evidence();
    if (!reference_copy_rates_.empty()) {
      candidate_copy_rates_ = CopyRates(candidate_.Get(), plan_.manifest.ranks.count);
    }
    IdentifyCandidate();
    ProveCandidateViews();
    candidate_times_.Clear();  // of a first run, which finds everything cold
    const Verdict identity = JudgeIdentity(*reference_identity_, *candidate_identity_,
                                           plan_.manifest.judge.self_allowed);
    if (!Passes(identity.outcome)) self_ = identity;
  } catch (const SideFailure& failure) {
    candidate_trouble_ =
        parity::Trouble(Outcome::kFail, "the candidate does not start: " + failure.death().Text());
    candidate_trouble_->span_class = SpanClass::kBroken;
  } catch (const std::exception& error) {
    candidate_trouble_ = parity::Trouble(Outcome::kError, error.what());
  }
}

// Objects are those mapped after a first run, as engines load kernels late; where that run kills
// the candidate, which is for the cases to find, those mapped after `create`.
void Session::IdentifyCandidate() {
  std::vector<std::string> objects = candidate_.Get().MappedObjects();
  const WorkloadRun& run = workload_.runs.front();
  if (const Program* program = plan_.candidate.FindProgram(run.program)) {
    std::vector<Script> scripts(plan_.manifest.ranks.count);
    for (Script& script : scripts) {
      script.Reset();
      script.Stage(StepFor(run, plan_.candidate, workload_.seed));
      script.RunWhole(run.program, static_cast<std::uint32_t>(program->ops.size()));
    }
    try {
      candidate_.Get().Run(scripts);
      objects = candidate_.Get().MappedObjects();
    } catch (const SideFailure&) {
      candidate_.Stop();
    }
  }
  candidate_identity_ = IdentityOf(plan_.manifest.candidate, objects);
}

void Session::Stop() { candidate_.Stop(); }

std::optional<Verdict> Session::Trouble() const {
  if (reference_trouble_) return reference_trouble_;
  if (candidate_trouble_) return candidate_trouble_;
  return self_;
}

Verdict Session::Judge(const Case& which) {
  Verdict verdict = JudgeCase(which);
  TellTimes(which, verdict);
  return verdict;
}

Verdict Session::JudgeCase(const Case& which) {
  if (which.kind == CaseKind::kPreflight) return JudgePreflight(which);
  if (const std::optional<Verdict> trouble = Trouble()) return *trouble;
  switch (which.kind) {
    case CaseKind::kSpan:
      return JudgeSpanCase(which.span);
    case CaseKind::kEndToEnd:
      return EndToEnd(which.program);
    case CaseKind::kDomain:
      return JudgeDomain(DomainEvidenceOn(which));
    case CaseKind::kReplicated:
      return JudgeReplicated(ReplicatedEvidenceOn(which));
    case CaseKind::kAsked:
      return JudgeAsked(which);
    case CaseKind::kPreflight:
      break;
  }
  return {};
}

Verdict Session::JudgePreflight(const Case& which) {
  if (reference_trouble_) return *reference_trouble_;
  if (which.slug == "reference_views") return ViewsVerdict(false);
  if (which.slug.starts_with("reference_")) return ProbeOf(which.slug);
  Verdict verdict;
  verdict.outcome = Outcome::kPass;
  if (which.slug == "reference") {
    verdict.summary = RecordedText() + (options_.recorded ? "" : ", its process has ended");
    if (!options_.recorded) SetProperty(verdict, "provenance", reference_provenance_);
    return verdict;
  }
  if (candidate_trouble_) return *candidate_trouble_;
  SetProperty(verdict, "provenance", candidate_provenance_);
  if (which.slug == "candidate_views") return ViewsVerdict(true);
  if (which.slug.starts_with("candidate_")) return ProbeOf(which.slug);
  if (which.slug == "candidate") {
    verdict.summary = "loaded on " + std::to_string(plan_.manifest.ranks.count) +
                      " ranks, its description is the checked-in one";
    return verdict;
  }
  return JudgeIdentity(*reference_identity_, *candidate_identity_,
                       plan_.manifest.judge.self_allowed);
}

Rules Session::RulesFor(const std::string& program, const std::string& span) const {
  const JudgeOptions& judge = plan_.manifest.judge;
  Rules rules;
  rules.exact = judge.spans == SpanMode::kExact;
  rules.kl_limit = judge.kl;
  rules.spread_factor = judge.spread_factor;
  rules.margin = judge.margin;
  rules.today = options_.today;
  for (const Tolerance& tolerance : judge.tolerances) {
    if (!tolerance.program.empty() && tolerance.program != program) continue;
    if (!tolerance.span.empty() && tolerance.span != span) continue;
    rules.tolerances.push_back(
        {tolerance.buffer, tolerance.nrmse, tolerance.max_ulp, tolerance.reason, tolerance.until});
  }
  return rules;
}

Verdict Session::JudgeSpanCase(std::size_t span) {
  for (const ReferenceFault& fault : recording_.faults) {
    if (fault.span == span) return parity::Trouble(Outcome::kError, fault.words);
  }
  if (const std::optional<Verdict> trouble = TapTrouble()) return *trouble;
  if (!span_evidence_.contains(span) && candidate_.given_up()) {
    return parity::Trouble(Outcome::kFail, *candidate_.given_up());
  }
  const SpanEvidence* found = nullptr;
  try {
    found = &EvidenceOn(span);
  } catch (const std::exception& error) {
    return parity::Trouble(Outcome::kError, error.what());
  }
  const SpanEvidence& evidence = *found;
  const Rules rules = RulesFor(evidence.program, evidence.span);
  std::optional<Verdict> end_to_end;
  if (NeedsEndToEnd(evidence, rules)) end_to_end = EndToEnd(evidence.program);
  Verdict verdict = JudgeSpan(evidence, rules, end_to_end);
  if (ReplaysInOrder(plan_)) SetProperty(verdict, "replayed", "in order");
  return verdict;
}

Verdict Session::JudgeAsked(const Case& which) {
  if (candidate_.given_up()) return parity::Trouble(Outcome::kFail, *candidate_.given_up());
  const Timer timer(replay_seconds_);
  try {
    return inquiry_->Judge(which, candidate_.Get(), RulesFor("", ""));
  } catch (const SideFailure& failure) {
    candidate_.OnFailure(failure.death());
    Verdict verdict = parity::Trouble(Outcome::kFail, "the candidate " + failure.death().Text());
    verdict.span_class = SpanClass::kBroken;
    return verdict;
  } catch (const std::exception& error) {
    return parity::Trouble(Outcome::kError, error.what());
  }
}

const SpanEvidence& Session::EvidenceOn(std::size_t span) {
  if (const auto found = span_evidence_.find(span); found != span_evidence_.end()) {
    return found->second;
  }
  if (ReplaysInOrder(plan_)) {
    ReplayAllInOrder();
    return span_evidence_.try_emplace(span, EvidenceBegunOn(ContextOfReplays(), span))
        .first->second;
  }
  const Timer timer(replay_seconds_);
  options_.progress("replay", plan_.spans[span].slug, span_evidence_.size(), plan_.spans.size());
  SpanEvidence evidence = ReplaySpan(ContextOfReplays(), span, candidate_.Get());
  if (evidence.death) OnSpanDeath(span, *evidence.death);
  return span_evidence_.emplace(span, std::move(evidence)).first->second;
}

void Session::ReplayAllInOrder() {
  if (in_order_) return;
  in_order_.emplace();  // a pass that ends in an error is not taken again
  const Timer timer(replay_seconds_);
  const CandidateSource source = {
      [this] { return candidate_.given_up() ? nullptr : &candidate_.Get(); },
      [this](const Death& death) { candidate_.OnFailure(death); }};
  in_order_ = ReplayInOrder(ContextOfReplays(), source, options_.progress);
  for (const auto& [span, evidence] : in_order_->spans) span_evidence_.emplace(span, evidence);
}

ReplayContext Session::ContextOfReplays() const {
  return {plan_, workload_, recording_, pages_, options_.filter, options_.dump_folder};
}

void Session::OnSpanDeath(std::size_t span, Death& death) {
  candidate_.OnFailure(death);
  const bool ended = death.cause != Death::Cause::kFailed && death.cause != Death::Cause::kRefused;
  if (!ended || !death.op.empty() || candidate_.given_up()) return;
  try {
    death.op = LocateDeath(ContextOfReplays(), span, death.run, candidate_.Get());
  } catch (const std::exception&) {
    // It does not even start or stage again: the op stays unknown.
  }
  candidate_.Stop();
}

const FreeRunResult& Session::Free() {
  if (free_run_) return *free_run_;
  const Timer timer(free_run_seconds_);
  if (candidate_.given_up()) {
    free_run_.emplace();
    free_run_->ends.resize(workload_.runs.size());
    free_run_->death = Death{.cause = Death::Cause::kFailed,
                             .what = *candidate_.given_up(),
                             .ranks = {},
                             .run = {},
                             .op = {}};
    return *free_run_;
  }
  const auto run = [&](Decisions decisions) {
    FreeRunResult result = RunFree(plan_, plan_.candidate, workload_, recording_, decisions,
                                   candidate_.Get(), options_.progress);
    if (result.death) candidate_.OnFailure(*result.death);
    return result;
  };
  free_run_ = run(Decisions::kServed);
  if (!free_run_->death && DecisionsDiffer(*free_run_)) forced_run_ = run(Decisions::kForced);
  return *free_run_;
}

std::uint64_t Session::RunsOf(const std::string& program) const {
  return static_cast<std::uint64_t>(
      std::count_if(workload_.runs.begin(), workload_.runs.end(),
                    [&](const WorkloadRun& run) { return run.program == program; }));
}

const Verdict& Session::EndToEnd(const std::string& program) {
  if (const auto found = end_to_end_.find(program); found != end_to_end_.end()) {
    return found->second;
  }
  const Verdict verdict = JudgeEndToEnd(EndToEndEvidenceOn(program), RulesFor(program, ""));
  return end_to_end_.emplace(program, verdict).first->second;
}

std::string Session::OutputTail() const { return candidate_.OutputTail(); }

}  // namespace parity
