#include "gtest_parity/session/session.h"

#include <algorithm>
#include <utility>

#include "gtest_parity/device/gpus.h"
#include "gtest_parity/replay/side_files.h"
#include "gtest_parity/session/session_parts.h"
#include "gtest_parity/session/side_identity.h"
#include "gtest_parity/side/copy_rate.h"
#include "gtest_parity/side/engine_in_this_process.h"
#include "gtest_parity/side/engine_process.h"

namespace parity {
namespace {

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
  side.chunks = memory_->handles();
  GiveGpus(declared, &side);
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
  try {
    FindGpus();
    options_.recorded ? LoadReference() : RunReference(selected);
  } catch (const GpuUnavailable& missing) {
    reference_trouble_ = TroubleVerdict(Outcome::kBlocked, missing.what());
    SetProperty(*reference_trouble_, "needs", "gpu");
  } catch (const SideFailure& failure) {
    reference_trouble_ =
        TroubleVerdict(Outcome::kError, "the reference broke: " + failure.death().Text());
  } catch (const std::exception& error) {
    reference_trouble_ = TroubleVerdict(Outcome::kError, error.what());
  }
}

// Starts it, records and asks what the cases need, and ends it.
void Session::RunReference(const std::vector<Case>& selected) {
  // A recording on disk is for whatever case somebody selects later.
  const bool kept = !options_.record_folder.empty();
  const std::vector<Case> cases = kept ? CasesOf(plan_) : selected;
  const RecordRequest request = RequestFor(cases);
  MakeMemory();
  double load_seconds = 0;
  std::unique_ptr<Side> reference;
  {
    Timer timer(load_seconds);
    reference = StartSide(true);
  }
  ProveReferenceViews(*reference);
  if (reference_trouble_) return;
  auto probes = ProbeReference(cases, *reference);
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
  reference_identity_ =
      IdentityOf(plan_.manifest, plan_.manifest.reference, reference->MappedObjects());
  reference.reset();
  memory_->Seal();
  pages_ = memory_->Open();
  if (kept) KeepRecording();
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
        TroubleVerdict(Outcome::kFail, "the candidate does not start: " + failure.death().Text());
    candidate_trouble_->span_class = SpanClass::kBroken;
  } catch (const std::exception& error) {
    candidate_trouble_ = TroubleVerdict(Outcome::kError, error.what());
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
  candidate_identity_ = IdentityOf(plan_.manifest, plan_.manifest.candidate, objects);
}

void Session::Stop() { candidate_.Stop(); }

std::optional<Verdict> Session::Trouble() const {
  if (reference_trouble_) return reference_trouble_;
  if (candidate_trouble_) return candidate_trouble_;
  return self_;
}

std::string Session::OutputTail() const { return candidate_.OutputTail(); }

}  // namespace parity
