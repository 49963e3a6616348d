// One run of a suite: the plan, the reference's recording, the candidate, and the verdict on each
// case.
#ifndef GTEST_PARITY_SESSION_SESSION_H_
#define GTEST_PARITY_SESSION_SESSION_H_

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/identity.h"
#include "gtest_parity/judge/judge.h"
#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/free_run.h"
#include "gtest_parity/replay/in_order.h"
#include "gtest_parity/replay/probe.h"
#include "gtest_parity/replay/recorder.h"
#include "gtest_parity/replay/recording.h"
#include "gtest_parity/replay/replayer.h"
#include "gtest_parity/replay/time_log.h"
#include "gtest_parity/replay/workload.h"
#include "gtest_parity/replay/write_recording.h"
#include "gtest_parity/session/campaign.h"
#include "gtest_parity/session/candidate.h"
#include "gtest_parity/session/case.h"
#include "gtest_parity/session/inquiry.h"
#include "gtest_parity/session/recorded_reference.h"

namespace parity {

struct SessionOptions {
  std::string host_program;                   // path of parity_host
  std::vector<std::string> host_wrapper;      // put before it; suspends deadlines
  bool in_process = false;                    // both sides in this process: not evidence
  std::string log_folder;                     // of the hosts' output; empty: none
  std::string dump_folder;                    // of frontiers as safetensors; empty: none
  std::string record_folder;                  // of a recording to be written; empty: none
  std::optional<RecordedReference> recorded;  // instead of a reference that runs
  std::string transcripts;                    // folder of them, instead of both sides; empty: none
  ReplayFilter filter;
  Progress progress;
  std::string today;  // YYYY-MM-DD, for tolerances
};

// Of spans, and of what an inquiry asks of the same two sides. Reference first, then candidate,
// never both: RecordReference ends the reference's process before StartCandidate may start the
// other.
class Session : public Campaign {
 public:
  // `inquiry`: of a suite that asks something else than spans. Throws std::runtime_error for a
  // workload that the reference cannot run.
  Session(Plan plan, SessionOptions options, const MakeInquiry& inquiry = nullptr);

  const Manifest& manifest() const override { return plan_.manifest; }
  std::uint64_t seed() const override { return workload_.seed; }
  std::vector<Case> Cases() const override;

  // Records what `selected` needs, all of it where a recording is to be written; or reads the
  // recording that stands for the reference.
  void RecordReference(const std::vector<Case>& selected) override;
  // Writes what was recorded, live and whole, into an empty folder; see WriteRecordingFiles.
  WrittenRecording WriteReference(const std::string& folder) const;
  void StartCandidate() override;
  void Stop() override;

  Verdict Judge(const Case& which) override;
  std::optional<Verdict> Trouble() const override;

  const Plan& plan() const { return plan_; }
  const Workload& workload() const { return workload_; }
  const Recording& recording() const { return recording_; }
  const RecordedReference* recorded() const override {
    return options_.recorded ? &*options_.recorded : nullptr;
  }
  bool is_evidence() const override { return evidence_; }
  std::string OutputTail() const override;
  // As multiples of the bare workload's where that was run.
  std::string SecondsText() const override;
  std::vector<std::string> Notes() const override;

 private:
  std::unique_ptr<Side> StartSide(bool reference);
  void FindGpus();
  void GiveGpus(const SideDeclaration& declared, SideOptions* side) const;
  void MakeMemory();
  RecordRequest RequestFor(const std::vector<Case>& cases) const;
  void LoadReference();
  void RunReference(const std::vector<Case>& selected);
  void KeepRecording();
  void IdentifyCandidate();
  void ProveReferenceViews(Side& reference);
  void ProveCandidateViews();
  Verdict ViewsVerdict(bool candidate) const;
  Verdict JudgePreflight(const Case& which);
  Verdict JudgeCase(const Case& which);
  // Adds both sides' times, where there are any, as properties.
  void TellTimes(const Case& which, Verdict& verdict) const;
  Verdict JudgeSpanCase(std::size_t span);
  Verdict JudgeAsked(const Case& which);
  const SpanEvidence& EvidenceOn(std::size_t span);
  void ReplayAllInOrder();
  // The probes of a side whose taps have to be believed; slugs of Preflight cases.
  std::map<std::string, ProbeEvidence> ProbeReference(const std::vector<Case>& selected,
                                                      Side& reference) const;
  ProbeEvidence ProbeCandidate(const std::string& slug);
  const Verdict& ProbeOf(const std::string& slug);
  // The verdict on every span where a side's taps disturb it, or are not what it computes with.
  std::optional<Verdict> TapTrouble();
  // Why the candidate's taps are not proven: it died as they were probed. A span may still say why.
  std::optional<std::string> TapsUnproven();
  ReplayContext ContextOfReplays() const;
  void OnSpanDeath(std::size_t span, Death& death);
  const Verdict& EndToEnd(const std::string& program);
  EndToEndEvidence EndToEndEvidenceOn(const std::string& program);
  void CountExpected(const ProgramPlan& program, EndToEndEvidence& evidence) const;
  void AddSpansTo(EndToEndEvidence& evidence);
  DomainEvidence DomainEvidenceOn(const Case& which);
  ReplicatedEvidence ReplicatedEvidenceOn(const Case& which);
  // By another run of the scenario, on a candidate that still lives.
  void LocateDifference(std::size_t run, const std::string& tensor, std::size_t rank,
                        ReplicatedEvidence::Run& at);
  // And the forced run behind it, where one is needed.
  const FreeRunResult& Free();
  std::string RecordedText() const;
  std::string InOrderText() const;
  Rules RulesFor(const std::string& program, const std::string& span) const;
  std::uint64_t RunsOf(const std::string& program) const;

  Plan plan_;
  SessionOptions options_;
  Workload workload_;
  std::vector<std::string> gpus_;  // UUIDs, by rank, where a side runs on them
  std::unique_ptr<RecordingMemory> memory_;
  std::vector<PageStore> pages_;  // the sealed recording, by rank
  Recording recording_;
  std::string written_;  // where the recording was written to, in words
  TimeLog reference_times_, candidate_times_;
  std::vector<double> reference_copy_rates_, candidate_copy_rates_;  // by rank
  Candidate candidate_;
  std::unique_ptr<Inquiry> inquiry_;  // null: the cases are spans
  std::optional<SideIdentity> reference_identity_, candidate_identity_;
  std::string reference_provenance_, candidate_provenance_;
  bool evidence_ = true;
  std::optional<Verdict> reference_trouble_, candidate_trouble_, self_;
  std::map<std::string, Verdict> probes_;     // by slug of their Preflight case, as they are judged
  std::optional<Death> probe_death_;          // of the candidate; it is not probed further
  std::array<std::size_t, 2> view_proofs_{};  // of the reference, of the candidate
  std::map<std::size_t, SpanEvidence> span_evidence_;
  std::optional<InOrderReplay> in_order_;
  std::map<std::string, Verdict> end_to_end_;
  std::optional<FreeRunResult> free_run_;
  std::optional<FreeRunResult> forced_run_;  // where decisions of the free run differ
  double replay_seconds_ = 0, free_run_seconds_ = 0, candidate_load_seconds_ = 0;
};

}  // namespace parity

#endif  // GTEST_PARITY_SESSION_SESSION_H_
