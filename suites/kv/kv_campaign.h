// The KV matrix: whatever one side saved, the other must take up, and mean the same by it.
#ifndef GTEST_PARITY_SUITES_KV_KV_CAMPAIGN_H_
#define GTEST_PARITY_SUITES_KV_KV_CAMPAIGN_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/identity.h"
#include "gtest_parity/session/campaign.h"
#include "gtest_parity/session/session.h"
#include "suites/kv/damage.h"
#include "suites/kv/lane_run.h"
#include "suites/kv/left_out.h"
#include "suites/kv/oracles.h"
#include "suites/kv/policy.h"
#include "suites/kv/server.h"

namespace parity::kv {

// First the reference saves and takes up its own; then the candidate saves, takes up its own and
// the reference's; then the reference again, the candidate's. One process at a time.
class KvCampaign : public Campaign {
 public:
  // Throws InvalidInput for lanes that cannot be read, where the manifest names none, and as
  // LeftOut does.
  KvCampaign(Manifest manifest, SessionOptions options);

  const Manifest& manifest() const override { return manifest_; }
  std::uint64_t seed() const override { return manifest_.workload.seed; }
  std::vector<Case> Cases() const override;
  void RecordReference(const std::vector<Case>& selected) override;
  void StartCandidate() override;
  // Writes the summary beside the reports.
  void Stop() override;
  Verdict Judge(const Case& which) override;
  std::optional<Verdict> Trouble() const override;
  bool is_evidence() const override { return true; }
  std::string OutputTail() const override { return phases_->OutputTail(); }
  std::string SecondsText() const override;
  std::vector<std::string> Notes() const override;

 private:
  struct Place {
    const Lane* lane = nullptr;
    CellKey key;
    Check check = Check::kRecord;
    std::string_view damage;  // a group of damaged records; empty: a cell
  };

  std::vector<Case> AllCases() const;
  void LoadAll(bool saver_reference, bool loader_reference);
  void LoadDamaged(bool reference);
  void AskOracles(bool reference);
  PolicyAnswers AskPolicy(bool reference);
  const LaneRun& RunOf(const Lane& lane) const;
  Verdict JudgeDamaged(const Place& place) const;
  Verdict JudgeCheck(const LaneRun& run, const CellKey& key, Check check) const;
  std::string Summary() const;
  // `unserved`: the outcome of every case where the side does not serve.
  void Guard(Outcome unserved, const std::function<void()>& work);
  Verdict JudgePreflight(const std::string& slug) const;
  Rules RulesOf() const;

  Manifest manifest_;
  SessionOptions options_;
  Lanes lanes_;
  std::unique_ptr<RecordFormat> format_;
  Variants variants_;
  std::unique_ptr<Servers> servers_;
  std::unique_ptr<Phases> phases_;
  std::map<std::string, Place> places_;  // by slug
  std::vector<LaneRun> runs_;            // of the selected lanes
  std::vector<DamageRun> damages_;       // of those whose damaged records are selected
  std::vector<std::string> asked_;       // policy questions that are selected
  std::vector<std::string> stood_;       // oracles that are
  std::optional<OracleRuns> oracles_;
  std::optional<LeftOut> left_out_;
  PolicyAnswers reference_policy_, candidate_policy_;
  std::string candidate_policy_failure_, policy_untold_;
  std::optional<SideIdentity> reference_identity_, candidate_identity_;
  std::string reference_provenance_, candidate_provenance_;
  std::optional<Verdict> trouble_;
  double reference_seconds_ = 0, candidate_seconds_ = 0;
  std::string summary_failure_;  // why there is no file of it
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_KV_CAMPAIGN_H_
