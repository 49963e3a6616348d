#include "suites/wire/campaign/examine_place.h"

#include <algorithm>
#include <array>

#include "suites/wire/campaign/examine_routes.h"
#include "suites/wire/campaign/rule_groups.h"
#include "suites/wire/campaign/verdict_of.h"

namespace parity::wire {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

void Append(std::vector<ClassedFinding>* to, const std::vector<ClassedFinding>& more) {
  to->insert(to->end(), more.begin(), more.end());
}

// A stream that a stopping server ends is ended by its last event, or by an error's.
void ExamineStopped(const Place& place, const SideView& view, std::vector<Finding>* findings) {
  for (const ExchangeView& exchange : view.exchanges()) {
    if (!IsOf(place, exchange.name())) continue;
    if (exchange.exchange->probe != "streamed_while_stopping") continue;
    const Answer& answer = exchange.answers[0].answer;
    const bool finished = !answer.choices.empty() && answer.choices[0].finish != Finish::kNone;
    if (finished || answer.error) continue;
    findings->push_back(
        {"end", exchange.name(), "", "a stream without its end", "its last event, or an error"});
  }
}

// What one side does by itself, around the place.
std::vector<Finding> ExamineSide(const Place& place, const SessionRecord& record,
                                 const PlaceContext& context, std::size_t side,
                                 const SideView& view) {
  const std::string name = place.Name();
  std::vector<Finding> findings =
      ExamineRoutes(*context.probes, side, *context.lane, place, record);
  if (record.IsUnsettled(name)) {
    findings.push_back({"settle", name, "", "still at work",
                        "at rest in time: nothing under way, and an outcome for all that began"});
  }
  const bool rests = !record.IsUnsettled(name) && !place.probe->ends_server;
  if (rests) {
    const CounterPlaces& places = context.probes->words[side].counters;
    for (Finding& finding : ExamineSums(places, place, record)) findings.push_back(finding);
  }
  const Limits& limits = context.probes->limits;
  if (const GrowthFact* growth = record.GrowthAt(name)) {
    if (growth->descriptors_after > growth->descriptors_before + limits.grown_descriptors) {
      findings.push_back({"growth", name, "descriptors", std::to_string(growth->descriptors_after),
                          "at most " + std::to_string(limits.grown_descriptors) + " above " +
                              std::to_string(growth->descriptors_before)});
    }
    if (growth->bytes_after > growth->bytes_before + limits.grown_mebibytes * kMebibyte) {
      findings.push_back({"growth", name, "memory",
                          std::to_string(growth->bytes_after / kMebibyte) + " MiB",
                          "at most " + std::to_string(limits.grown_mebibytes) + " MiB above " +
                              std::to_string(growth->bytes_before / kMebibyte) + " MiB"});
    }
  }
  ExamineStopped(place, view, &findings);
  if (place.probe->ends_server && record.end) {
    if (!record.end->as_asked) {
      findings.push_back({"end", name, "", record.end->text, "exit status 0, in time"});
    }
    for (const std::string& process : record.end->left) {
      findings.push_back({"end", name, "", "left running: " + process, "nothing"});
    }
  }
  return findings;
}

}  // namespace

bool IsOf(const Place& place, const std::string& exchange) {
  const std::string name = place.Name();
  if (exchange == name) return true;
  if (!exchange.starts_with(name + ".")) return false;
  constexpr std::array kScrapes = {"stats_before", "stats_after", "metrics_before",
                                   "metrics_after"};
  const std::string further = exchange.substr(name.size() + 1);
  return std::find(kScrapes.begin(), kScrapes.end(), further) == kScrapes.end();
}

PlaceFindings ExaminePlace(const Place& place, SessionPair& pair, const PlaceContext& context) {
  PlaceFindings out;
  const SessionRecord& reference = pair.record(kReferenceSide);
  const SessionRecord& candidate = pair.record(kCandidateSide);
  const std::string name = place.Name();
  if (const DeathFact* death = candidate.DeathAt(name)) {
    out.findings.push_back({{"death", name, "", death->text, "a server that lives and answers"},
                            FindingClass::kCandidateBreaksCore});
    ++out.exchanges;
  }
  const JudgedPart& whole = pair.whole();
  const SideView& candidates = *whole.views[kCandidateSide];
  for (const ExchangeView& theirs : whole.views[kReferenceSide]->exchanges()) {
    if (!IsOf(place, theirs.name())) continue;
    const ExchangeView* mine = candidates.Find(theirs.name());
    if (mine == nullptr) continue;  // the judgement tells of it
    ++out.exchanges;
    Append(&out.findings,
           context.refusals->Compare(context.lane->name, theirs, *mine, context.today));
  }
  for (const ClassedFinding& found : whole.judgement.findings) {
    if (GroupOf(found.finding.rule) == "probe" && IsOf(place, found.finding.exchange)) {
      out.findings.push_back(found);
    }
  }
  if (out.exchanges == 0) return out;
  Append(&out.findings,
         ClassAlone(
             ExamineSide(place, reference, context, kReferenceSide, *whole.views[kReferenceSide]),
             ExamineSide(place, candidate, context, kCandidateSide, candidates)));
  // Another server has other things cached, and counts from 0.
  if (!reference.IsOfOneServer()) {
    out.notes.push_back(name +
                        ": counters not compared, as the reference's server was started anew");
    return out;
  }
  // What was refused by one side alone moved its counters alone.
  if (context.refusals->IsClassified(context.lane->name, name, context.today)) return out;
  for (const Finding& finding : CompareCounters(*context.probes, place, reference, candidate)) {
    out.findings.push_back({finding, FindingClass::kCandidateLeavesProfile});
  }
  return out;
}

}  // namespace parity::wire
