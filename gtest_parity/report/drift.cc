#include "gtest_parity/report/drift.h"

#include <algorithm>

namespace parity {
namespace {

bool Carries(const GroupResult& group, const std::string& label) {
  const std::vector<std::string>& labels = group.expected.labels;
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

const GroupResult* Find(const std::vector<GroupResult>& groups, const std::string& name) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const GroupResult& group) {
    return group.expected.name == name;
  });
  return found == groups.end() ? nullptr : &*found;
}

// The name of the group that belongs to `name`, which ends in ".<from>".
std::string Sibling(const std::string& name, const std::string& from, const std::string& to) {
  return name.substr(0, name.size() - std::min(name.size(), from.size())) + to;
}

bool Any(const GroupResult& group, Outcome outcome) {
  return std::any_of(group.cases.begin(), group.cases.end(),
                     [&](const CaseResult& result) { return result.outcome == outcome; });
}

// Whether what the group says is about numbers: it ran to its end, and nothing broke or was
// refused.
bool Compared(const GroupResult& group) {
  return group.problems.empty() && !Any(group, Outcome::kError) && !Any(group, Outcome::kBlocked) &&
         !Any(group, Outcome::kSelf) && !Any(group, Outcome::kNotCompared);
}

bool Passed(const GroupResult& group) {
  return std::all_of(group.cases.begin(), group.cases.end(),
                     [](const CaseResult& result) { return Passes(result.outcome); });
}

}  // namespace

std::vector<std::string> ExplainDrift(const std::vector<GroupResult>& groups) {
  std::vector<std::string> lines;
  for (const GroupResult& group : groups) {
    const std::string& name = group.expected.name;
    if (Carries(group, kHostParity)) {
      const std::string drift = Sibling(name, kHostParity, kDrift);
      if (Find(groups, drift) == nullptr)
        lines.push_back(name + ": " + drift + " is not registered");
    }
    if (!Carries(group, kDrift)) continue;
    const std::string host = Sibling(name, kDrift, kHostParity);
    const GroupResult* fresh = Find(groups, host);
    if (fresh == nullptr) {
      lines.push_back(name + ": " + host + " is not registered");
    } else if (Compared(group) && Compared(*fresh) && Passed(group) != Passed(*fresh)) {
      lines.push_back(
          Passed(*fresh)
              ? name + ": the candidate agrees with the reference of today (" + host +
                    " passed) and not with the tracked golden: the reference has changed since it "
                    "was recorded, or computes otherwise on this machine. If that is wanted: "
                    "parity "
                    "golden update MANIFEST DIR --reason TEXT"
              : name +
                    ": the candidate agrees with the tracked golden and not with the reference "
                    "of today (" +
                    host + " failed): the reference has changed, and the candidate has not");
    }
  }
  return lines;
}

}  // namespace parity
