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

// Another payload than the reference's is of two savers: the reference alone cannot show it.
bool IsOfTwoSavers(const LaneException& exception) {
  return exception.check == NameOf(Check::kRecord) &&
         exception.signature.starts_with("record: payload");
}

// Every finding is one that an exception in force names and the reference shows itself, or that is
// of two savers.
bool Excused(const CellResult& result, const CellResult* own,
             const std::vector<const LaneException*>& declared, const std::string& today) {
  if (own == nullptr || !result.failure.empty() || result.checked.findings.empty()) return false;
  return std::all_of(
      result.checked.findings.begin(), result.checked.findings.end(), [&](const Finding& finding) {
        return std::any_of(declared.begin(), declared.end(), [&](const LaneException* exception) {
          return exception->signature == finding.signature && today <= exception->until &&
                 (IsOfTwoSavers(*exception) || IsIn(own->checked.findings, finding.signature));
        });
      });
}

// Of the lane's own check, and of the candidate's own where two savers differ: exceptions that no
// longer say what is so.
std::vector<std::string> Stale(const CellResult& result,
                               const std::vector<const LaneException*>& declared,
                               const std::string& today) {
  std::vector<std::string> stale;
  const bool of_candidate = !result.key.saver_reference && !result.key.loader_reference;
  for (const LaneException* exception : declared) {
    const bool shown_here = IsOfTwoSavers(*exception) ? of_candidate : result.key.IsOwnCheck();
    if (!shown_here) continue;
    if (today > exception->until) {
      stale.push_back("exception " + exception->id + " has expired, its last day was " +
                      exception->until);
    } else if (!IsIn(result.checked.findings, exception->signature)) {
      stale.push_back("exception " + exception->id + " stopped reproducing: the " +
                      (of_candidate ? "candidate" : "reference") + " does not show \"" +
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

// The findings, and the first one's signature.
void Tell(Verdict& verdict, Outcome outcome, const CellResult& result) {
  verdict.outcome = outcome;
  for (const Finding& finding : result.checked.findings) {
    verdict.findings.push_back(result.key.Text() + ": " + finding.words);
  }
  if (result.checked.findings.empty()) return;
  SetProperty(verdict, "signature", result.checked.findings.front().signature);
  verdict.summary = verdict.findings.front();
}

// What every outcome of the case carries.
Verdict VerdictFor(const Lane& lane, const CellResult& result) {
  Verdict verdict;
  verdict.expected = verdict.compared = result.checked.compared;
  for (const auto& [name, value] : result.checked.properties) SetProperty(verdict, name, value);
  SetProperty(verdict, "lane", lane.name);
  SetProperty(verdict, "cell", result.key.Text());
  return verdict;
}

void Block(Verdict& verdict, const CellResult& own) {
  verdict.outcome = Outcome::kBlocked;
  verdict.compared = 0;
  verdict.summary =
      "the lane's own check, reference to reference, fails: " + std::string(NameOf(own.check));
  SetProperty(verdict, "needs", "reference");
}

// Nothing was found wrong, and nothing is proven.
void BlockUnproven(Verdict& verdict, const std::string& why) {
  verdict.outcome = Outcome::kBlocked;
  verdict.compared = 0;
  verdict.summary = why;
  SetProperty(verdict, "needs", "telling server");
}

void JudgeFindings(Verdict& verdict, const CellResult& result, const CellResult* own,
                   const std::vector<const LaneException*>& declared, const std::string& today) {
  const std::vector<std::string> stale = Stale(result, declared, today);
  if (!stale.empty()) {
    Tell(verdict, Outcome::kFail, result);
    verdict.findings.insert(verdict.findings.begin(), stale.begin(), stale.end());
    verdict.summary = stale.front();
  } else if (result.checked.findings.empty() && !result.checked.unproven.empty()) {
    BlockUnproven(verdict, result.checked.unproven);
  } else if (result.checked.findings.empty()) {
    verdict.outcome = result.checked.compared == 0 ? Outcome::kNotCompared : Outcome::kPass;
    verdict.summary = std::to_string(result.checked.compared) + " things as they must be";
  } else if (Excused(result, own, declared, today)) {
    Tell(verdict, Outcome::kPassStar, result);
    const std::string& signature = result.checked.findings.front().signature;
    const LaneException& exception =
        **std::find_if(declared.begin(), declared.end(),
                       [&](const LaneException* one) { return one->signature == signature; });
    verdict.summary = "exception " + exception.id + ": " + exception.reason;
    SetProperty(verdict, "exception", exception.id);
  } else {
    Tell(verdict, result.key.IsOwnCheck() ? Outcome::kError : Outcome::kFail, result);
  }
}

}  // namespace

Verdict JudgeCell(const Lane& lane, const CellResult& result, const std::vector<CellResult>& own,
                  const std::vector<LaneException>& exceptions, const std::string& today) {
  Verdict verdict = VerdictFor(lane, result);
  const auto failed = std::find_if(own.begin(), own.end(), [&](const CellResult& check) {
    return !IsHeld(check, lane, exceptions, today);
  });
  const auto blocked = std::find_if(own.begin(), own.end(),
                                    [](const CellResult& check) { return !check.blocked.empty(); });
  if (!result.blocked.empty() || blocked != own.end()) {
    BlockUnproven(verdict, result.blocked.empty() ? blocked->blocked : result.blocked);
  } else if (!result.key.IsOwnCheck() && failed != own.end()) {
    Block(verdict, *failed);
  } else if (!result.failure.empty()) {
    verdict.outcome = result.failure_is_reference ? Outcome::kError : Outcome::kFail;
    verdict.summary = result.key.Text() + ": " + result.failure;
    verdict.findings = {verdict.summary};
  } else {
    JudgeFindings(verdict, result, Find(own, result.check),
                  Declared(lane, result.check, exceptions), today);
  }
  return verdict;
}

}  // namespace parity::kv
