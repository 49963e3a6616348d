#include "gtest_parity/report/fold.h"

#include <algorithm>
#include <map>
#include <set>

#include "gtest_parity/report/drift.h"
#include "gtest_parity/report/exit_code.h"
#include "gtest_parity/report/matrix.h"

namespace parity {
namespace {

constexpr std::size_t kNamedCases = 5;  // of one outcome in one group; the rest is counted

std::string NamesText(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kNamedCases); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kNamedCases) {
    text += " and " + std::to_string(names.size() - kNamedCases) + " more";
  }
  return text;
}

void CheckCases(const GroupResult& group, const FoldRules& rules, Folded& folded) {
  const std::string& name = group.expected.name;
  for (const Outcome outcome : kAllOutcomes) {
    if (Passes(outcome)) continue;
    std::vector<std::string> names;
    std::map<std::string, std::vector<std::string>> allowed;  // by reason
    for (const CaseResult& result : group.cases) {
      if (result.outcome != outcome) continue;
      const auto reason =
          outcome == Outcome::kBlocked ? rules.allowed.ReasonFor(name, result) : std::nullopt;
      (reason ? allowed[*reason] : names).push_back(result.FullName());
    }
    for (const auto& [reason, blocked] : allowed) {
      folded.allowed.push_back(name + ": " + std::to_string(blocked.size()) + " BLOCKED, " +
                               reason + ": " + NamesText(blocked));
    }
    if (names.empty()) continue;
    folded.problems.push_back(name + ": " + std::to_string(names.size()) + " " +
                              std::string(NameOf(outcome)) + ": " + NamesText(names));
  }
}

// A process may end otherwise than its cases say: after a report that could not be written, say.
void CheckExitCode(const GroupResult& group, Folded& folded) {
  if (!group.info || !group.info->exit_code) return;
  const int code = *group.info->exit_code;
  const bool all_well =
      std::all_of(group.cases.begin(), group.cases.end(), [](const CaseResult& result) {
        return Passes(result.outcome) || result.outcome == Outcome::kBlocked;
      });
  const bool said_well = code == kExitPassed || code == kExitBlocked;
  if (said_well == all_well) return;
  // A BLOCKED that the run did not allow and the fold does is no contradiction.
  const bool blocked = std::any_of(group.cases.begin(), group.cases.end(), [](const auto& result) {
    return result.outcome == Outcome::kBlocked;
  });
  if (all_well && blocked && code == kExitUndecided) return;
  folded.problems.push_back(group.expected.name + ": exit code " + std::to_string(code) +
                            " does not agree with its cases: " + OutcomesText(Count(group.cases)));
}

// An engine in the judge's process can write what the judge believes.
bool RanInProcess(const CaseResult& result) {
  return std::any_of(result.properties.begin(), result.properties.end(), [](const auto& property) {
    return property.first == "sides" && property.second == kInProcess;
  });
}

void CheckGroup(const GroupResult& group, const FoldRules& rules, Folded& folded) {
  const std::string& name = group.expected.name;
  for (const std::string& problem : group.problems) {
    folded.problems.push_back(name + ": " + problem);
  }
  if (group.info && group.info->begun < rules.not_before) {
    folded.problems.push_back(name + ": its result is of an older run, begun " + group.info->begun +
                              ", expected not before " + rules.not_before);
  }
  if (group.info && !group.info->part.empty()) {
    folded.problems.push_back(name + ": only a part of it ran: " + group.info->part);
  }
  if (std::any_of(group.cases.begin(), group.cases.end(), RanInProcess)) {
    folded.problems.push_back(name + ": ran " + kInProcess);
  }
  CheckCases(group, rules, folded);
  CheckExitCode(group, folded);
}

void CheckRegisteredOnce(const std::vector<GroupResult>& groups, Folded& folded) {
  std::set<std::string> names, folders;
  for (const GroupResult& group : groups) {
    const ExpectedGroup& expected = group.expected;
    if (!names.insert(expected.name).second) {
      folded.problems.push_back(expected.name + ": is registered twice");
    }
    if (!folders.insert(expected.folder).second) {
      folded.problems.push_back(expected.name + ": another group has its folder " +
                                expected.folder);
    }
  }
}

template <typename Key>
void CheckSum(const std::map<Key, std::uint64_t>& sums, const std::map<Key, std::uint64_t>& whole,
              std::vector<std::string>& problems) {
  std::map<Key, std::pair<std::uint64_t, std::uint64_t>> both;
  for (const auto& [key, count] : sums) both[key].first = count;
  for (const auto& [key, count] : whole) both[key].second = count;
  for (const auto& [key, counts] : both) {
    if (counts.first == counts.second) continue;
    problems.push_back(std::string(NameOf(key)) + ": the groups add up to " +
                       std::to_string(counts.first) + ", the total is " +
                       std::to_string(counts.second));
  }
}

}  // namespace

std::vector<std::string> CheckSums(const std::vector<Tally>& parts, const Tally& whole) {
  Tally sum;
  for (const Tally& part : parts) {
    sum.cases += part.cases;
    for (const auto& [outcome, count] : part.outcomes) sum.outcomes[outcome] += count;
    for (const auto& [span_class, count] : part.classes) sum.classes[span_class] += count;
  }
  std::vector<std::string> problems;
  std::uint64_t judged = 0;
  for (const auto& [outcome, count] : whole.outcomes) judged += count;
  if (sum.cases != whole.cases || judged != whole.cases) {
    problems.push_back("cases: the groups add up to " + std::to_string(sum.cases) +
                       ", the outcomes to " + std::to_string(judged) + ", the total is " +
                       std::to_string(whole.cases));
  }
  CheckSum(sum.outcomes, whole.outcomes, problems);
  CheckSum(sum.classes, whole.classes, problems);
  return problems;
}

std::vector<ExpectedGroup> WithLabel(const std::vector<ExpectedGroup>& groups,
                                     const std::string& label) {
  std::vector<ExpectedGroup> chosen;
  for (const ExpectedGroup& group : groups) {
    const auto& labels = group.labels;
    const bool carries = std::find(labels.begin(), labels.end(), label) != labels.end();
    if (label.empty() || carries) chosen.push_back(group);
  }
  return chosen;
}

Folded Fold(std::vector<GroupResult> groups, const FoldRules& rules) {
  Folded folded;
  std::vector<Tally> parts;
  bool compared = false;
  for (const GroupResult& group : groups) {
    CheckGroup(group, rules, folded);
    parts.push_back(Count(group.cases));
    for (const CaseResult& result : group.cases) {
      folded.total.Add(result);
      compared = compared || (Passes(result.outcome) && result.verdict.compared > 0);
    }
  }
  CheckRegisteredOnce(groups, folded);
  for (const std::string& line : ExplainDrift(groups)) folded.problems.push_back(line);
  if (groups.empty()) folded.problems.push_back("no group is registered");
  if (!compared) folded.problems.push_back("nothing was compared and passed");
  for (const std::string& problem : CheckSums(parts, folded.total)) {
    folded.problems.push_back(problem);
  }
  folded.groups = std::move(groups);
  return folded;
}

std::string Folded::Text(bool colour) const {
  std::string text = MatrixText(groups, colour);
  if (!allowed.empty()) text += "\nallowed:\n";
  for (const std::string& line : allowed) text += "  " + line + "\n";
  if (!problems.empty()) text += "\nproblems:\n";
  for (const std::string& line : problems) text += "  " + line + "\n";
  return text + "\nparity.verdict: " + (Passed() ? "PASS" : "FAIL") + ", " +
         std::to_string(groups.size()) + (groups.size() == 1 ? " group, " : " groups, ") +
         std::to_string(total.cases) + (total.cases == 1 ? " case: " : " cases: ") +
         OutcomesText(total) + "\n";
}

}  // namespace parity
