#include "suites/kv/kv_campaign.h"

#include <algorithm>
#include <set>
#include <utility>

#include "gtest_parity/judge/number_text.h"
#include "gtest_parity/report/files.h"
#include "gtest_parity/session/session_parts.h"
#include "gtest_parity/session/side_identity.h"
#include "suites/kv/examine.h"
#include "suites/kv/read_lanes.h"
#include "suites/kv/side_servers.h"
#include "suites/kv/summary.h"

namespace parity::kv {
namespace {

constexpr char kCell[] = "Cell";

Lanes LanesOf(const Manifest& manifest) {
  if (!manifest.kv.lanes.empty()) return ReadLanes(manifest.kv.lanes);
  throw InvalidInput({{manifest.path, {}, "kv.lanes", "nothing", "the lanes of a KV matrix"}});
}

constexpr char kDamaged[] = "Damaged";
constexpr char kPolicy[] = "Policy";
constexpr char kStore[] = "Store";
constexpr char kSummaryFile[] = "kv_matrix.txt";

std::string SlugOf(const Lane& lane, const CellKey& key, Check check) {
  return lane.name + "_" + key.Text() + "_" + std::string(NameOf(check));
}

std::string SlugOf(const Lane& lane, std::string_view damage) {
  return lane.name + "_" + std::string(damage);
}

}  // namespace

KvCampaign::KvCampaign(Manifest manifest, SessionOptions options)
    : manifest_(std::move(manifest)),
      options_(std::move(options)),
      lanes_(LanesOf(manifest_)),
      format_(MakeRecordFormat(lanes_.format)),
      variants_(manifest_, manifest_.kv.lanes, lanes_.lanes) {
  servers_ = std::make_unique<SideServers>(manifest_, options_);
  phases_ = std::make_unique<Phases>(*servers_, variants_, *format_, manifest_.ranks.count);
  for (const Lane& lane : lanes_.lanes) {
    for (const CellKey& key : kAllCells) {
      for (const Check check : kAllChecks) {
        places_[SlugOf(lane, key, check)] = {&lane, key, check, {}};
      }
    }
    for (const std::string_view group : kDamageGroups) {
      if (HasDamage(lane, group)) places_[SlugOf(lane, group)] = {&lane, {}, {}, group};
    }
    if (lanes_.oracles && lanes_.oracles->lane == lane.name) {
      oracles_.emplace(*lanes_.oracles, lane, *format_, *phases_);
    }
  }
  left_out_.emplace(manifest_, AllCases());
}

std::vector<Case> KvCampaign::Cases() const { return left_out_->asked(); }

std::vector<Case> KvCampaign::AllCases() const {
  std::vector<Case> cases = PreflightCases();
  for (const Lane& lane : lanes_.lanes) {
    for (const CellKey& key : kAllCells) {
      for (const Check check : kAllChecks) {
        cases.push_back({CaseKind::kAsked, SlugOf(lane, key, check), 0, {}, {}, kCell});
      }
    }
  }
  for (const Lane& lane : lanes_.lanes) {
    for (const std::string_view group : kDamageGroups) {
      if (!HasDamage(lane, group)) continue;
      cases.push_back({CaseKind::kAsked, SlugOf(lane, group), 0, {}, {}, kDamaged});
    }
  }
  for (const std::string_view ask : kPolicyQuestions) {
    cases.push_back({CaseKind::kAsked, std::string(ask), 0, {}, {}, kPolicy});
  }
  if (!lanes_.oracles) return cases;
  for (const std::string_view oracle : kOracles) {
    cases.push_back({CaseKind::kAsked, std::string(oracle), 0, {}, {}, kStore});
  }
  return cases;
}

// What breaks the harness breaks every case; what breaks a side is its cells' affair.
void KvCampaign::Guard(Outcome unserved, const std::function<void()>& work) {
  try {
    work();
  } catch (const NotOffered& missing) {
    trouble_ = TroubleVerdict(unserved, missing.what());
    SetProperty(*trouble_, "needs", "serve");
  } catch (const NotAskable& reason) {
    trouble_ = TroubleVerdict(Outcome::kBlocked, reason.what());
    SetProperty(*trouble_, "needs", "telling server");
  } catch (const std::exception& error) {
    trouble_ = TroubleVerdict(Outcome::kError, error.what());
  }
}

void KvCampaign::LoadAll(bool saver_reference, bool loader_reference) {
  const CellKey key{saver_reference, loader_reference};
  std::size_t done = 0;
  for (LaneRun& run : runs_) {
    ++done;
    if (options_.progress) {
      options_.progress(key.Text().c_str(), run.lane().name, done, runs_.size());
    }
    run.Load(key);
  }
}

// The reference's record, on both sides.
void KvCampaign::LoadDamaged(bool reference) {
  const CellKey key{true, reference};
  for (DamageRun& damage : damages_) {
    const LaneRun& run = RunOf(damage.lane());
    const Saved* saved = run.SavedBy(true);
    const Loaded* cold = run.ColdOf(key);
    if (saved == nullptr || cold == nullptr) continue;
    damage.Load(reference, *saved, *cold);
  }
}

void KvCampaign::AskOracles(bool reference) {
  for (const std::string& oracle : stood_) {
    if (options_.progress) options_.progress("store", oracle, 0, stood_.size());
    oracles_->Run(oracle, reference);
  }
}

PolicyAnswers KvCampaign::AskPolicy(bool reference) {
  if (asked_.empty()) return {};
  const TemporaryFolder folder("parity_kv");
  const auto server = phases_->Start({}, reference, folder.path());
  PolicyAnswers answers;
  const SideDeclaration& side = reference ? manifest_.reference : manifest_.candidate;
  if (manifest_.kv.by == KvBy::kStates) {
    policy_untold_ = "an engine that is asked by saved states has no store, and no rules of one";
  } else if (!side.server) {
    answers = kv::AskPolicy(asked_, seed(), *server);
  } else if (policy_untold_.empty()) {
    policy_untold_ = std::string("the ") + (reference ? "reference" : "candidate") +
                     " is a server, which does not tell the rules of its store by themselves";
  }
  phases_->Know(*server);
  return answers;
}

const LaneRun& KvCampaign::RunOf(const Lane& lane) const {
  return *std::find_if(runs_.begin(), runs_.end(),
                       [&](const LaneRun& run) { return &run.lane() == &lane; });
}

Verdict KvCampaign::JudgeDamaged(const Place& place) const {
  for (const bool loader_reference : {true, false}) {
    const CellResult taken =
        RunOf(*place.lane).ResultOf({true, loader_reference}, Check::kAccepted, RulesOf());
    if (taken.blocked.empty()) continue;
    Verdict verdict = TroubleVerdict(Outcome::kBlocked, taken.blocked);
    SetProperty(verdict, "needs", "telling server");
    return verdict;
  }
  const auto damage = std::find_if(damages_.begin(), damages_.end(),
                                   [&](const DamageRun& run) { return &run.lane() == place.lane; });
  std::vector<const LaneException*> declared;
  for (const LaneException& exception : lanes_.exceptions) {
    if (exception.lane == place.lane->name && exception.check == place.damage) {
      declared.push_back(&exception);
    }
  }
  return JudgeDamage(place.damage, damage->all(), declared, options_.today);
}

// A selected case needs its lane whole: no cell means anything without the lane's own check.
void KvCampaign::RecordReference(const std::vector<Case>& selected) {
  const Timer timer(reference_seconds_);
  Guard(Outcome::kBlocked, [&] {
    std::set<const Lane*> wanted;
    std::multimap<const Lane*, std::string_view> damaged;
    for (const Case& which : selected) {
      if (which.kind != CaseKind::kAsked) continue;
      if (which.fixture == kPolicy) {
        asked_.push_back(which.slug);
        continue;
      }
      if (which.fixture == kStore) {
        stood_.push_back(which.slug);
        continue;
      }
      const Place& place = places_.at(which.slug);
      wanted.insert(place.lane);
      if (which.fixture == kDamaged) damaged.emplace(place.lane, place.damage);
    }
    for (const Lane& lane : lanes_.lanes) {
      if (wanted.contains(&lane)) runs_.emplace_back(lane, *format_, *phases_);
      if (!damaged.contains(&lane)) continue;
      DamageRun& damage = damages_.emplace_back(lane, *format_, *phases_, RulesOf());
      const auto [first, last] = damaged.equal_range(&lane);
      for (auto group = first; group != last; ++group) damage.Select(group->second);
    }
    servers_->ExpectServes(true);
    for (LaneRun& run : runs_) run.Save(true);
    LoadAll(true, true);
    LoadDamaged(true);
    AskOracles(true);
    reference_policy_ = AskPolicy(true);
    reference_provenance_ = phases_->provenance();
    reference_identity_ = IdentityOf(manifest_, manifest_.reference, phases_->objects());
  });
}

void KvCampaign::StartCandidate() {
  if (trouble_) return;
  const Timer timer(candidate_seconds_);
  Guard(Outcome::kFail, [&] {
    phases_->Forget();
    servers_->ExpectServes(false);
    for (LaneRun& run : runs_) run.Save(false);
    LoadAll(false, false);
    LoadAll(true, false);
    LoadDamaged(false);
    AskOracles(false);
    try {
      candidate_policy_ = AskPolicy(false);
    } catch (const SideFailure& failure) {
      candidate_policy_failure_ = "the candidate " + failure.death().Text();
    }
    // One that died in every phase is told by its cells.
    if (phases_->objects().empty() && !runs_.empty()) return LoadAll(false, true);
    candidate_provenance_ = phases_->provenance();
    candidate_identity_ = IdentityOf(manifest_, manifest_.candidate, phases_->objects());
    LoadAll(false, true);
  });
}

std::optional<Verdict> KvCampaign::Trouble() const {
  if (trouble_) return trouble_;
  if (!reference_identity_ || !candidate_identity_) return std::nullopt;
  Verdict identity =
      JudgeIdentity(*reference_identity_, *candidate_identity_, manifest_.judge.self_allowed);
  if (Passes(identity.outcome)) return std::nullopt;
  return identity;
}

Verdict KvCampaign::JudgePreflight(const std::string& slug) const {
  if (trouble_) return *trouble_;
  if (slug != "reference" && !candidate_identity_) {
    return TroubleVerdict(Outcome::kFail, "the candidate got through no phase");
  }
  if (slug == "sides") {
    return JudgeIdentity(*reference_identity_, *candidate_identity_, manifest_.judge.self_allowed);
  }
  Verdict verdict;
  verdict.outcome = Outcome::kPass;
  const bool reference = slug == "reference";
  const std::size_t lanes = runs_.size();
  verdict.summary = "started for " + std::to_string(lanes) + (lanes == 1 ? " lane" : " lanes") +
                    ", each time in a process of its own";
  SetProperty(verdict, "provenance", reference ? reference_provenance_ : candidate_provenance_);
  return verdict;
}

Rules KvCampaign::RulesOf() const {
  Rules rules;
  rules.exact = manifest_.judge.spans == SpanMode::kExact;
  rules.kl_limit = manifest_.judge.kl;
  rules.spread_factor = manifest_.judge.spread_factor;
  rules.today = options_.today;
  return rules;
}

Verdict KvCampaign::Judge(const Case& which) {
  if (which.kind == CaseKind::kPreflight) return JudgePreflight(which.slug);
  if (which.fixture == kStore) {
    return JudgeOracle(which.slug, oracles_->outcomes(true), oracles_->outcomes(false));
  }
  if (which.fixture == kPolicy && !policy_untold_.empty()) {
    Verdict verdict = TroubleVerdict(Outcome::kBlocked, policy_untold_);
    SetProperty(verdict, "needs", "plugin");
    return verdict;
  }
  if (which.fixture == kPolicy) {
    if (!candidate_policy_failure_.empty()) {
      return TroubleVerdict(Outcome::kFail, candidate_policy_failure_);
    }
    return JudgePolicy(which.slug, seed(), reference_policy_, candidate_policy_);
  }
  const Place& place = places_.at(which.slug);
  if (!place.damage.empty()) return JudgeDamaged(place);
  return JudgeCheck(RunOf(*place.lane), place.key, place.check);
}

Verdict KvCampaign::JudgeCheck(const LaneRun& run, const CellKey& key, Check check) const {
  const Rules rules = RulesOf();
  std::vector<CellResult> own;
  for (const Check one : kAllChecks) own.push_back(run.ResultOf({true, true}, one, rules));
  return JudgeCell(run.lane(), run.ResultOf(key, check, rules), own, lanes_.exceptions,
                   options_.today);
}

std::string KvCampaign::Summary() const {
  std::vector<LaneRow> lanes;
  for (const LaneRun& run : runs_) {
    LaneRow& row = lanes.emplace_back(LaneRow{run.lane().name, {}, {}});
    for (std::size_t cell = 0; cell < kAllCells.size(); ++cell) {
      row.declined[cell] = run.lane().answer.IsRefusedIn(kAllCells[cell]);
      for (std::size_t i = 0; i < kAllChecks.size(); ++i) {
        row.cells[cell][i] = JudgeCheck(run, kAllCells[cell], kAllChecks[i]).outcome;
      }
    }
  }
  std::vector<DamageRow> damages;
  for (const DamageRun& run : damages_) damages.push_back({run.lane().name, &run.all()});
  std::vector<StoreRow> stores;
  for (const std::string& oracle : stood_) {
    const Verdict verdict =
        JudgeOracle(oracle, oracles_->outcomes(true), oracles_->outcomes(false));
    stores.push_back({oracle, verdict.outcome, verdict.summary});
  }
  std::string text = SummaryText(manifest_.name, lanes, damages, stores);
  const std::vector<std::string> left_out = left_out_->Lines();
  if (!left_out.empty()) text += "\n";
  for (const std::string& line : left_out) text += line + "\n";
  return text;
}

void KvCampaign::Stop() {
  const bool empty = runs_.empty() && stood_.empty();
  if (trouble_ || empty || options_.log_folder.empty()) return;
  try {
    WriteFileAtomically(options_.log_folder + "/" + kSummaryFile, Summary());
  } catch (const std::exception& error) {
    summary_failure_ = error.what();
  }
}

std::string KvCampaign::SecondsText() const {
  return "seconds: reference " + FixedText(reference_seconds_, 1) +
         ", candidate and what it saved " + FixedText(candidate_seconds_, 1);
}

std::vector<std::string> KvCampaign::Notes() const {
  std::vector<std::string> notes = {"records of " + format_->name() + ": " +
                                    std::to_string(runs_.size()) + " lanes of " +
                                    std::to_string(lanes_.lanes.size()) + " were run"};
  for (const std::string& line : left_out_->Lines()) notes.push_back(line);
  if (!summary_failure_.empty())
    notes.push_back("no " + std::string(kSummaryFile) + ": " + summary_failure_);
  for (const LaneRun& run : runs_) {
    if (!run.lane().answer.shared_risk) continue;
    const Verdict verdict = JudgeCheck(run, {true, false}, Check::kContinuation);
    const std::string* words = FindProperty(verdict, "shared_risk");
    if (words == nullptr || !Passes(verdict.outcome)) continue;
    notes.push_back("shared risk: lane " + run.lane().name +
                    ": both take up what is another's and go on otherwise: " + *words);
  }
  for (const DamageRun& run : damages_) {
    const std::vector<std::string> risks = SharedRisks(run.all());
    if (risks.empty()) continue;
    notes.push_back("shared risk: lane " + run.lane().name +
                    ": both take up and answer otherwise: " + ListOf(risks));
  }
  return notes;
}

}  // namespace parity::kv
