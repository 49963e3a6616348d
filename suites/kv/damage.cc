#include "suites/kv/damage.h"

#include <algorithm>
#include <set>

#include "gtest_parity/side/side.h"

namespace parity::kv {
namespace {

std::string RecordAfterwards(const Loaded& loaded, const std::string& name) {
  if (!loaded.after.contains(name)) return "gone";
  if (!loaded.before.contains(name)) return "written";
  return loaded.after.at(name).digest == loaded.before.at(name).digest ? "kept" : "written";
}

// Another engine's state that is taken up is within the limit where every bit is not demanded.
bool AnsweredAlike(const Loaded& cold, const Loaded& loaded, const Rules& rules) {
  if (!cold.answer.ShowsLogits() || !loaded.answer.ShowsLogits()) {
    return SayTheSame(cold.answer, loaded.answer);
  }
  const Continuation apart = CompareContinuations(cold.generated, loaded.generated);
  return rules.exact ? apart.Identical() : apart.rows != 0 && apart.worst_kl <= rules.kl_limit;
}

// Both took up a record whose damage the format does not notice: another text may be served.
bool IsSharedRisk(const Damaged& damaged) {
  return damaged.reference && damaged.reference == damaged.candidate &&
         damaged.reference->cached != 0 && !damaged.reference->as_cold;
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::string DamageOutcome::Text() const {
  if (!death.empty()) return death;
  std::string text = "cached " + (tells_cached ? std::to_string(cached) : "not told");
  if (!tells_refusals) text += ", refusals not told";
  if (!refusals.empty()) text += ", refused " + Listed(refusals);
  return text + (as_cold ? ", answered as without it" : ", answered otherwise") + ", record " +
         record;
}

bool Alike(const DamageOutcome& reference, const DamageOutcome& candidate) {
  const bool cached = reference.tells_cached && candidate.tells_cached;
  const bool refusals = reference.tells_refusals && candidate.tells_refusals;
  return reference.death == candidate.death && reference.as_cold == candidate.as_cold &&
         reference.record == candidate.record &&
         (!cached || reference.cached == candidate.cached) &&
         (!refusals || reference.refusals == candidate.refusals);
}

DamageOutcome DamageRun::OutcomeOf(const Harm& harm, bool reference, const Saved& saved,
                                   const Loaded& cold) {
  DamageOutcome outcome;
  try {
    Given given;
    given.place = harm.place;
    given.meddle = harm.meddle;
    if (harm.meddle) given.first = {*lane_.index};
    given.keeps_bytes = false;
    const Loaded loaded = phases_.Load(lane_, reference, saved, given);
    const Answer& answer = loaded.answer;
    outcome.tells_cached = answer.Tells("cached");
    outcome.tells_refusals = answer.Tells("refusals") && answer.Tells("refusal names");
    outcome.cached = answer.cached;
    const std::set<std::string> refusals(answer.refusals.begin(), answer.refusals.end());
    outcome.refusals.assign(refusals.begin(), refusals.end());
    outcome.as_cold = AnsweredAlike(cold, loaded, rules_);
    outcome.record = RecordAfterwards(loaded, harm.file_name);
  } catch (const SideFailure& failure) {
    outcome.death = failure.death().Text();
  }
  return outcome;
}

void DamageRun::Load(bool reference, const Saved& saved, const Loaded& cold) {
  if (all_.empty()) {
    for (Harm& harm : HarmsOf(lane_, format_, saved)) {
      if (groups_.contains(harm.Group())) all_.push_back({std::move(harm), {}, {}});
    }
  }
  for (Damaged& damaged : all_) {
    (reference ? damaged.reference : damaged.candidate) =
        OutcomeOf(damaged.harm, reference, saved, cold);
  }
}

std::vector<std::string> SharedRisks(const std::vector<Damaged>& all) {
  std::vector<std::string> risks;
  for (const Damaged& damaged : all) {
    if (IsSharedRisk(damaged)) risks.push_back(damaged.harm.slug);
  }
  return risks;
}

bool HasDamage(const Lane& lane, std::string_view group) {
  return std::find(lane.damaged.begin(), lane.damaged.end(), group) != lane.damaged.end();
}

namespace {

class DamageJudge {
 public:
  DamageJudge(const std::vector<const LaneException*>& declared, const std::string& today)
      : declared_(declared), today_(today) {
    verdict_.outcome = Outcome::kPass;
  }

  void Take(const Damaged& damaged) {
    ++verdict_.expected;
    if (!damaged.reference || !damaged.candidate) return;
    ++verdict_.compared;
    untold_ |= !damaged.reference->TellsAll() || !damaged.candidate->TellsAll();
    const std::string what = damaged.harm.slug + " (" + damaged.harm.what + "): ";
    if (!damaged.reference->death.empty() && !Excuses(damaged)) {
      verdict_.outcome = Outcome::kError;
      verdict_.findings.push_back(what + "the reference " + damaged.reference->death);
    } else if (!Alike(*damaged.reference, *damaged.candidate)) {
      if (verdict_.outcome == Outcome::kPass) verdict_.outcome = Outcome::kFail;
      verdict_.findings.push_back(what + "got " + damaged.candidate->Text() +
                                  ", expected as the reference: " + damaged.reference->Text());
    } else if (IsSharedRisk(damaged)) {
      risks_.push_back(damaged.harm.slug);
    }
  }

  Verdict Judge() {
    FindStale();
    if (verdict_.findings.empty() &&
        verdict_.compared < std::max(verdict_.expected, std::uint64_t{1})) {
      verdict_.outcome = Outcome::kNotCompared;
      verdict_.summary = std::to_string(verdict_.compared) + " of " +
                         std::to_string(verdict_.expected) + " damaged records were loaded";
      return verdict_;
    }
    SetProperty(verdict_, "damaged", std::to_string(verdict_.compared));
    if (untold_) SetProperty(verdict_, "not_told", "cached or refusals");
    if (!risks_.empty()) SetProperty(verdict_, "shared_risk", Listed(risks_));
    if (!excused_.empty()) SetProperty(verdict_, "excused", Listed(excused_));
    verdict_.summary = verdict_.findings.empty() ? Words() : verdict_.findings.front();
    if (verdict_.findings.empty() && shown_ != nullptr) {
      verdict_.outcome = Outcome::kPassStar;
      verdict_.summary = "exception " + shown_->id + ": " + shown_->reason;
      SetProperty(verdict_, "exception", shown_->id);
    }
    return verdict_;
  }

 private:
  // The same end of both, of a kind that is declared.
  bool Excuses(const Damaged& damaged) {
    for (const LaneException* exception : declared_) {
      if (today_ > exception->until || damaged.reference->death != damaged.candidate->death ||
          !damaged.reference->death.starts_with(exception->signature)) {
        continue;
      }
      excused_.push_back(damaged.harm.slug);
      shown_ = exception;
      shows_.insert(exception);
      return true;
    }
    return false;
  }

  void FindStale() {
    if (verdict_.compared == 0) return;
    for (const LaneException* exception : declared_) {
      if (shows_.contains(exception)) continue;
      const std::string words =
          today_ > exception->until
              ? " has expired, its last day was " + exception->until
              : " stopped reproducing: no loader shows \"" + exception->signature + "\" any more";
      if (verdict_.outcome == Outcome::kPass) verdict_.outcome = Outcome::kFail;
      verdict_.findings.insert(verdict_.findings.begin(), "exception " + exception->id + words);
    }
  }

  std::string Words() const {
    return std::to_string(verdict_.compared) + " damaged records, " +
           std::to_string(risks_.size()) + " of which both engines take up and answer otherwise";
  }

  const std::vector<const LaneException*>& declared_;
  const std::string& today_;
  Verdict verdict_;
  std::vector<std::string> risks_, excused_;
  const LaneException* shown_ = nullptr;
  std::set<const LaneException*> shows_;
  bool untold_ = false;
};

}  // namespace

Verdict JudgeDamage(std::string_view group, const std::vector<Damaged>& all,
                    const std::vector<const LaneException*>& declared, const std::string& today) {
  DamageJudge judge(declared, today);
  for (const Damaged& damaged : all) {
    if (damaged.harm.Group() == group) judge.Take(damaged);
  }
  return judge.Judge();
}

}  // namespace parity::kv
