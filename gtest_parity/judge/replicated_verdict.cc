#include <algorithm>
#include <map>

#include "gtest_parity/judge/finding.h"
#include "gtest_parity/judge/judge.h"
#include "gtest_parity/judge/star.h"

namespace parity {
namespace {

using Digests = std::vector<std::string>;

// There is something to compare: two ranks or more, each with a digest.
bool Comparable(const Digests& digests) {
  return digests.size() > 1 &&
         std::none_of(digests.begin(), digests.end(), [](const auto& d) { return d.empty(); });
}

// The groups of ranks that hold the same bytes, in order of their lowest rank: "{0 2} {1}".
std::string Groups(const Digests& digests) {
  std::vector<std::string> groups;
  std::map<std::string, std::size_t> place;
  for (std::size_t rank = 0; rank < digests.size(); ++rank) {
    const auto [at, fresh] = place.emplace(digests[rank], groups.size());
    if (fresh) groups.emplace_back();
    std::string& group = groups[at->second];
    if (!group.empty()) group += ' ';
    group += std::to_string(rank);
  }
  std::string text;
  for (const std::string& group : groups) {
    if (!text.empty()) text += ' ';
    text += '{';
    text += group;
    text += '}';
  }
  return text;
}

FailureSignature Sign(const ReplicatedEvidence& evidence, const std::string& run,
                      const Digests& digests) {
  FailureSignature signature;
  signature.check = Check::kReplicated;
  signature.kind = Groups(digests);
  signature.program = evidence.program;
  signature.tensor = evidence.tensor;
  signature.run = run;
  return signature;
}

// "; rank 1 differs from rank 0 in 3 of 128 elements, first at [0, 37]: 0.5 against 0.25".
std::string DifferenceText(const ReplicatedEvidence::Run& run) {
  if (!run.difference) return run.not_located.empty() ? "" : "; not located: " + run.not_located;
  const RankDifference& difference = *run.difference;
  const std::string ranks = "; rank " + std::to_string(difference.rank) + " differs from rank 0 ";
  if (difference.stats.Identical()) return ranks + "no more when the scenario was served again";
  return ranks + "in " + std::to_string(difference.stats.different) + " of " +
         Counted(difference.stats.compared, "element") + ", first at " +
         Coordinates(difference.shape, difference.stats.first_index) + ": " +
         difference.first_values.second + " against " + difference.first_values.first;
}

std::string Tell(const ReplicatedEvidence& evidence, const ReplicatedEvidence::Run& run) {
  std::string text =
      Where(evidence.program, run.run, -1, evidence.tensor) +
      ": ranks differ, the candidate's fall into " + Groups(run.candidate) + ", the reference's " +
      (run.reference.empty() ? "were not recorded" : "into " + Groups(run.reference));
  for (std::size_t rank = 0; rank < run.candidate.size(); ++rank) {
    text += ", rank " + std::to_string(rank) + " " + run.candidate[rank].substr(0, 12);
  }
  text += DifferenceText(run);
  return text + ", allowed {all} (declared replicated), no tolerance would have passed it";
}

bool SharedByReference(const ReplicatedEvidence& evidence, const ReplicatedEvidence::Run& run) {
  return Comparable(run.reference) && FailTheSameWay(Sign(evidence, run.run, run.candidate),
                                                     Sign(evidence, run.run, run.reference));
}

void Decide(const ReplicatedEvidence& evidence, const std::vector<std::string>& alone,
            const std::vector<std::string>& shared, Verdict& verdict) {
  const std::string count =
      std::to_string(verdict.compared) + " of " + Counted(verdict.expected, "run");
  if (evidence.death) {
    verdict.outcome = Outcome::kFail;
    verdict.span_class = SpanClass::kBroken;
    verdict.summary = "the candidate " + evidence.death->Text();
  } else if (!alone.empty()) {
    verdict.outcome = Outcome::kFail;
    verdict.summary = alone.front();
  } else if (verdict.compared == 0 || verdict.compared < verdict.expected) {
    verdict.outcome = Outcome::kNotCompared;
    verdict.summary = verdict.compared == 0 ? "no two ranks were compared" : "only " + count;
  } else if (!shared.empty()) {
    verdict.outcome = Outcome::kPassStar;
    verdict.summary = "the reference fails the same way: " + shared.front();
  } else {
    verdict.outcome = Outcome::kPass;
    verdict.summary = "alike on every rank: " + count;
  }
}

}  // namespace

std::optional<std::size_t> FirstRankApart(const std::vector<std::string>& digests) {
  const auto apart = std::find_if(digests.begin(), digests.end(),
                                  [&](const auto& digest) { return digest != digests.front(); });
  if (apart == digests.end()) return std::nullopt;
  return static_cast<std::size_t>(apart - digests.begin());
}

Verdict JudgeReplicated(const ReplicatedEvidence& evidence) {
  Verdict verdict;
  verdict.expected = evidence.expected;
  std::vector<std::string> alone, shared;
  const ReplicatedEvidence::Run* first = nullptr;
  for (const ReplicatedEvidence::Run& run : evidence.runs) {
    if (!Comparable(run.candidate)) continue;
    ++verdict.compared;
    if (!FirstRankApart(run.candidate)) continue;
    const bool excused = SharedByReference(evidence, run);
    if (first == nullptr || (!excused && alone.empty())) first = &run;
    (excused ? shared : alone).push_back(Tell(evidence, run));
  }
  Decide(evidence, alone, shared, verdict);
  if (evidence.death) verdict.findings.push_back(verdict.summary);
  verdict.findings.insert(verdict.findings.end(), alone.begin(), alone.end());
  verdict.findings.insert(verdict.findings.end(), shared.begin(), shared.end());
  SetProperty(verdict, "outcome", std::string(NameOf(verdict.outcome)));
  if (evidence.death) {
    SetPlace(verdict, *evidence.death);
  } else if (first != nullptr) {
    SetProperty(verdict, "rank", std::to_string(*FirstRankApart(first->candidate)));
    SetProperty(verdict, "run", first->run);
  }
  SetProperty(verdict, "compared", std::to_string(verdict.compared));
  SetProperty(verdict, "expected", std::to_string(verdict.expected));
  return verdict;
}

}  // namespace parity
