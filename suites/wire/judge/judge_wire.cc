#include "suites/wire/judge/judge_wire.h"

#include <array>
#include <map>
#include <set>

namespace parity::wire {
namespace {

constexpr char kExchanges[] = "equal.exchange";

using Keys = std::set<std::pair<std::string, std::string>>;  // rule and exchange

Keys KeysOf(const std::vector<Finding>& findings) {
  Keys keys;
  for (const Finding& finding : findings) keys.emplace(finding.rule, finding.exchange);
  return keys;
}

bool HasRule(const Keys& keys, const std::string& rule) {
  const auto at = keys.lower_bound({rule, ""});
  return at != keys.end() && at->first == rule;
}

// Whether the other side, whose findings are `keys`, does the same.
bool DoesToo(const Keys& keys, const Finding& finding) {
  if (FindRule(finding.rule)->basis == Basis::kSide) return HasRule(keys, finding.rule);
  return keys.contains({finding.rule, finding.exchange});
}

class Judge {
 public:
  explicit Judge(const std::set<std::string>& habits) : habits_(habits) {}

  void TakeSides(const Applied& reference, const Applied& candidate) {
    const Keys theirs = KeysOf(reference.findings), mine = KeysOf(candidate.findings);
    for (const Finding& finding : candidate.findings) Add(finding, ClassOf(finding, theirs));
    for (const Finding& finding : reference.findings) {
      if (DoesToo(mine, finding)) continue;
      const bool core = FindRule(finding.rule)->layer == Layer::kCore;
      Add(finding, core ? FindingClass::kReferenceBreaksCore : FindingClass::kReported);
    }
    Look(candidate);
  }

  // What a comparison finds, the reference cannot have done as well.
  void TakePairs(const Applied& pairs) {
    for (const Finding& finding : pairs.findings) {
      const Rule* rule = FindRule(finding.rule);
      const bool strict = rule != nullptr && rule->layer == Layer::kStrict;
      Add(finding, strict ? FindingClass::kReported : FindingClass::kCandidateLeavesProfile);
    }
    Look(pairs);
  }

  WireJudgement End() {
    for (const Rule& rule : AllRules()) Tell(std::string(rule.id));
    for (const auto& [rule, looked] : looked_) {
      if (FindRule(rule) == nullptr) Tell(rule);
    }
    return std::move(judgement_);
  }

 private:
  FindingClass ClassOf(const Finding& finding, const Keys& reference) const {
    const Layer layer = FindRule(finding.rule)->layer;
    if (layer == Layer::kStrict) return FindingClass::kReported;
    if (layer == Layer::kProfile) {
      return HasRule(reference, finding.rule) ? FindingClass::kReported
                                              : FindingClass::kCandidateLeavesProfile;
    }
    return DoesToo(reference, finding) || habits_.contains(finding.rule)
               ? FindingClass::kBothBreakCore
               : FindingClass::kCandidateBreaksCore;
  }

  void Add(const Finding& finding, FindingClass kind) {
    judgement_.findings.push_back({finding, kind});
  }

  void Look(const Applied& applied) {
    judgement_.notes.insert(judgement_.notes.end(), applied.notes.begin(), applied.notes.end());
    for (const auto& [rule, looked] : applied.looked) looked_[rule] += looked;
  }

  void Tell(const std::string& rule) {
    RuleOutcome outcome = {rule, looked_[rule]};
    for (const ClassedFinding& found : judgement_.findings) {
      if (found.finding.rule != rule) continue;
      ++(FailsCandidate(found.kind) ? outcome.failing : outcome.reported);
    }
    judgement_.rules.push_back(outcome);
  }

  const std::set<std::string>& habits_;
  WireJudgement judgement_;
  std::map<std::string, std::size_t> looked_;
};

Applied CompareExchanges(const SideView& reference, const SideView& candidate) {
  Applied applied;
  const auto missing = [&](const SideView& in, const SideView& from, const std::string& got,
                           const std::string& expected) {
    for (const ExchangeView& view : from.exchanges()) {
      ++applied.looked[kExchanges];
      if (in.Find(view.name()) != nullptr) continue;
      applied.findings.push_back({kExchanges, view.name(), "", got, expected});
    }
  };
  missing(candidate, reference, "none of the candidate", "one, as of the reference");
  missing(reference, candidate, "none of the reference", "one, as of the candidate");
  return applied;
}

std::string RuleOf(ProfileError::Kind kind) {
  constexpr std::array<const char*, 3> kRules = {"profile.keys", "profile.types", "profile.values"};
  return kRules[static_cast<std::size_t>(kind)];
}

}  // namespace

std::vector<const ClassedFinding*> WireJudgement::Failing() const {
  std::vector<const ClassedFinding*> failing;
  for (const ClassedFinding& found : findings) {
    if (FailsCandidate(found.kind)) failing.push_back(&found);
  }
  return failing;
}

bool FailsCandidate(FindingClass kind) {
  return kind == FindingClass::kCandidateBreaksCore ||
         kind == FindingClass::kCandidateLeavesProfile;
}

std::string_view NameOf(FindingClass kind) {
  constexpr std::array<std::string_view, 5> kNames = {
      "candidate breaks core", "candidate leaves the profile", "reference breaks core",
      "both break core", "reported"};
  return kNames[static_cast<std::size_t>(kind)];
}

void LearnProfile(const SideView& side, Profile* profile) {
  for (const ExchangeView& view : side.exchanges()) {
    for (const AnswerView& answer : view.answers) {
      for (const SentValue& sent : SentValuesOf(answer)) profile->Learn(sent.schema, *sent.value);
      for (const std::string& seen : answer.run.transitions) profile->LearnTransition(seen);
    }
  }
}

Applied ApplyProfile(const Profile& profile, const SideView& side) {
  Applied applied;
  for (const ExchangeView& view : side.exchanges()) {
    for (const AnswerView& answer : view.answers) {
      for (const SentValue& sent : SentValuesOf(answer)) {
        for (const char* rule : {"profile.keys", "profile.types", "profile.values"}) {
          ++applied.looked[rule];
        }
        for (const ProfileError& error : profile.Check(sent.schema, *sent.value)) {
          applied.findings.push_back({RuleOf(error.kind), view.name(),
                                      sent.where + " " + sent.schema + error.pointer, error.got,
                                      error.expected});
        }
      }
      for (const std::string& seen : answer.run.transitions) {
        ++applied.looked["profile.path"];
        if (profile.KnowsTransition(seen)) continue;
        applied.findings.push_back(
            {"profile.path", view.name(), "", seen, "steps that the reference's streams take"});
      }
    }
  }
  return applied;
}

std::set<std::string> HabitsOf(const SideView& side, const RuleOptions& options) {
  std::set<std::string> habits;
  for (const Finding& finding : ApplyRules(side, options, Basis::kSide).findings) {
    habits.insert(finding.rule);
  }
  return habits;
}

WireJudgement JudgeWire(const SideView& reference, const SideView& candidate,
                        const RuleOptions& reference_options, const RuleOptions& candidate_options,
                        const std::set<std::string>& habits) {
  Judge judge(habits);
  judge.TakeSides(ApplyRules(reference, reference_options),
                  ApplyRules(candidate, candidate_options));
  judge.TakePairs(ApplyPairRules(reference, candidate, candidate_options));
  Profile profile;
  LearnProfile(reference, &profile);
  judge.TakePairs(ApplyProfile(profile, candidate));
  judge.TakePairs(CompareExchanges(reference, candidate));
  return judge.End();
}

}  // namespace parity::wire
