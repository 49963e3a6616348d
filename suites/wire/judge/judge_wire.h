// From two transcripts to what is said of the candidate.
#ifndef GTEST_PARITY_SUITES_WIRE_JUDGE_JUDGE_WIRE_H_
#define GTEST_PARITY_SUITES_WIRE_JUDGE_JUDGE_WIRE_H_

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "suites/wire/profile/profile.h"
#include "suites/wire/rules/apply_rules.h"

namespace parity::wire {

enum class FindingClass {
  kCandidateBreaksCore,
  kCandidateLeavesProfile,
  kReferenceBreaksCore,  // the candidate may be right: reported
  kBothBreakCore,        // alike: reported
  kReported,             // of public types, or of what the reference does as well
};

struct ClassedFinding {
  Finding finding;
  FindingClass kind;
};

// What came of one rule, in both transcripts.
struct RuleOutcome {
  std::string rule;
  std::size_t looked = 0;  // at things of the candidate; 0: nothing was compared
  std::size_t failing = 0, reported = 0;
};

struct WireJudgement {
  std::vector<ClassedFinding> findings;
  std::vector<Note> notes;         // of the candidate's answers
  std::vector<RuleOutcome> rules;  // one for each, in the order of AllRules()

  std::vector<const ClassedFinding*> Failing() const;
};

bool FailsCandidate(FindingClass kind);
std::string_view NameOf(FindingClass kind);  // "candidate breaks core"

// From every answer of the side.
void LearnProfile(const SideView& side, Profile* profile);

// Where the side's answers are not inside: findings of profile.keys, profile.types,
// profile.values and profile.path.
Applied ApplyProfile(const Profile& profile, const SideView& side);

// Rules of Basis::kSide that the side breaks.
std::set<std::string> HabitsOf(const SideView& side, const RuleOptions& options);

// An exchange that only one of the two has is a finding too, of equal.exchange. `habits`: of the
// reference, from what else it said.
WireJudgement JudgeWire(const SideView& reference, const SideView& candidate,
                        const RuleOptions& reference_options, const RuleOptions& candidate_options,
                        const std::set<std::string>& habits = {});

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_JUDGE_JUDGE_WIRE_H_
