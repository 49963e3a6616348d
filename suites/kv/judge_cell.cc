#include "suites/kv/judge_cell.h"

#include <algorithm>

namespace parity::kv {
namespace {

bool IsIn(const std::vector<Finding>& findings, const std::string& signature) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.signature == signature; });
}

// The exceptions that stand for this check of this lane.
std::vector<const LaneException*> Declared(const Lane& lane, Check check,
                                           const std::vector<LaneException>& exceptions) {
  std::vector<const LaneException*> declared;
  for (const LaneException& exception : exceptions) {
    if (exception.lane == lane.name && exception.check == NameOf(check)) {
      declared.push_back(&exception);
    }
  }
  return declared;
}

const CellResult* Find(const std::vector<CellResult>& own, Check check) {
  const auto found = std::find_if(own.begin(), own.end(),
                                  [&](const CellResult& result) { return result.check == check; });
  return found == own.end() ? nullptr : &*found;
}

// Every finding is one that an exception in force names and the reference shows itself.
bool Excused(const CellResult& result, const CellResult* own,
             const std::vector<const LaneException*>& declared, const std::string& today) {
  if (own == nullptr || !result.failure.empty() || result.checked.findings.empty()) return false;
  return std::all_of(
      result.checked.findings.begin(), result.checked.findings.end(), [&](const Finding& finding) {
        return IsIn(own->checked.findings, finding.signature) &&
               std::any_of(declared.begin(), declared.end(), [&](const LaneException* exception) {
                 return exception->signature == finding.signature && today <= exception->until;
               });
      });
}

// Of the lane's own check: exceptions that no longer say what is so.
std::vector<std::string> Stale(const CellResult& result,
                               const std::vector<const LaneException*>& declared,
                               const std::string& today) {
  std::vector<std::string> stale;
  for (const LaneException* exception : declared) {
    if (today > exception->until) {
      stale.push_back("exception " + exception->id + " has expired, its last day was " +
                      exception->until);
    } else if (!IsIn(result.checked.findings, exception->signature)) {
      stale.push_back("exception " + exception->id +
                      " stopped reproducing: the reference does not "
                      "show \"" +
                      exception->signature + "\" any more");
    }
  }
  return stale;
}

bool IsHeld(const CellResult& own, const Lane& lane, const std::vector<LaneException>& exceptions,
            const std::string& today) {
  if (!own.failure.empty()) return false;
  return own.checked.findings.empty() ||
         Excused(own, &own, Declared(lane, own.check, exceptions), today);
}

void Fail(Verdict& verdict, Outcome outcome, const CellResult& result) {
  verdict.outcome = outcome;
  for (const Finding& finding : result.checked.findings) {
    verdict.findings.push_back(result.key.Text() + ": " + finding.words);
    SetProperty(verdict, "signature", finding.signature);
  }
  if (!result.checked.findings.empty()) {
    SetProperty(verdict, "signature", result.checked.findings.front().signature);
  }
  if (!verdict.findings.empty()) verdict.summary = verdict.findings.front();
}

}  // namespace

Verdict JudgeCell(const Lane& lane, const CellResult& result, const std::vector<CellResult>& own,
                  const std::vector<LaneException>& exceptions, const std::string& today) {
  Verdict verdict;
  verdict.expected = verdict.compared = result.checked.compared;
  for (const auto& [name, value] : result.checked.properties) SetProperty(verdict, name, value);
  SetProperty(verdict, "lane", lane.name);
  SetProperty(verdict, "cell", result.key.Text());
  if (!result.key.IsOwnCheck()) {
    for (const CellResult& check : own) {
      if (IsHeld(check, lane, exceptions, today)) continue;
      verdict.outcome = Outcome::kBlocked;
      verdict.compared = 0;
      verdict.summary = "the lane's own check, reference to reference, fails: " +
                        std::string(NameOf(check.check));
      SetProperty(verdict, "needs", "reference");
      return verdict;
    }
  }
  if (!result.failure.empty()) {
    verdict.outcome = result.failure_is_reference ? Outcome::kError : Outcome::kFail;
    verdict.summary = result.key.Text() + ": " + result.failure;
    verdict.findings = {verdict.summary};
    return verdict;
  }
  const std::vector<const LaneException*> declared = Declared(lane, result.check, exceptions);
  if (result.key.IsOwnCheck()) {
    const std::vector<std::string> stale = Stale(result, declared, today);
    if (!stale.empty()) {
      Fail(verdict, Outcome::kFail, result);
      verdict.findings.insert(verdict.findings.begin(), stale.begin(), stale.end());
      verdict.summary = stale.front();
      return verdict;
    }
  }
  if (result.checked.findings.empty()) {
    verdict.outcome = result.checked.compared == 0 ? Outcome::kNotCompared : Outcome::kPass;
    verdict.summary = std::to_string(result.checked.compared) + " things as they must be";
    return verdict;
  }
  if (Excused(result, Find(own, result.check), declared, today)) {
    Fail(verdict, Outcome::kPassStar, result);
    verdict.summary = "exception " + declared.front()->id + ": " + declared.front()->reason;
    SetProperty(verdict, "exception", declared.front()->id);
    return verdict;
  }
  Fail(verdict, result.key.IsOwnCheck() ? Outcome::kError : Outcome::kFail, result);
  return verdict;
}

}  // namespace parity::kv
