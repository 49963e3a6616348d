// What is said of each case, once both sides have answered.
#include <algorithm>

#include "gtest_parity/session/session_parts.h"
#include "suites/wire/campaign/left_out.h"
#include "suites/wire/campaign/rule_groups.h"
#include "suites/wire/campaign/verdict_of.h"
#include "suites/wire/campaign/wire_campaign.h"

namespace parity::wire {
namespace {

void AppendNotes(const JudgedPart& part, std::string_view group, std::vector<std::string>* notes) {
  for (const Note& note : part.judgement.notes) {
    if (GroupOf(note.rule) == group) notes->push_back(TextOf(note));
  }
}

}  // namespace

SessionPair* WireCampaign::PairOf(const std::string& session) {
  const SessionRecord* reference = sides_[kReferenceSide].Find(session);
  const SessionRecord* candidate = sides_[kCandidateSide].Find(session);
  if (reference == nullptr || candidate == nullptr) return nullptr;
  std::unique_ptr<SessionPair>& pair = pairs_[session];
  if (pair == nullptr) {
    pair = std::make_unique<SessionPair>(*reference, *candidate, probes_, ways_);
  }
  return pair.get();
}

PlaceContext WireCampaign::ContextOf(const WireLane& lane) {
  return {&probes_, &lane, &refusals_, options_.today};
}

void WireCampaign::FindLeftOut() {
  for (const PlannedSession& session : sessions_) {
    const SessionRecord* reference = sides_[kReferenceSide].Find(session.name);
    if (reference == nullptr) continue;
    const SessionRecord* candidate = sides_[kCandidateSide].Find(session.name);
    for (const Place& place : session.places) {
      const std::string why = WhyLeftOut(place, *reference, candidate);
      if (!why.empty()) left_out_[{session.name, place.Name()}] = why;
    }
  }
}

std::vector<std::string> WireCampaign::LeftOut(const WireCase& which) const {
  std::vector<std::string> left_out;
  if (left_out_.empty()) return left_out;
  for (const PlannedSession& session : sessions_) {
    for (const Place& place : session.places) {
      if (!which.Needs(*session.lane, place)) continue;
      const auto found = left_out_.find({session.name, place.Name()});
      if (found == left_out_.end()) continue;
      left_out.push_back(place.Name() + ": the reference: " + found->second);
    }
  }
  return left_out;
}

// What the reference does not tell costs the probe's own case, and any other that is left without
// a place.
std::optional<Verdict> WireCampaign::ReferenceTrouble(const WireCase& which) const {
  const std::vector<std::string> left_out = LeftOut(which);
  if (left_out.empty()) return std::nullopt;
  std::size_t places = 0;
  for (const PlannedSession& session : sessions_) {
    for (const Place& place : session.places) places += which.Needs(*session.lane, place) ? 1 : 0;
  }
  if (which.fixture != kProbeFixture && left_out.size() < places) return std::nullopt;
  return TroubleVerdict(Outcome::kError, left_out[0]);
}

bool WireCampaign::IsLeftOut(const PlannedSession& session, const std::string& exchange) const {
  return std::any_of(session.places.begin(), session.places.end(), [&](const Place& place) {
    return left_out_.contains({session.name, place.Name()}) && IsOf(place, exchange);
  });
}

Verdict WireCampaign::JudgeSurface(const WireCase& which) {
  std::vector<ClassedFinding> findings;
  std::vector<std::string> notes = LeftOut(which);
  std::size_t looked = 0;
  for (const PlannedSession& session : sessions_) {
    SessionPair* pair = session.lane == which.lane ? PairOf(session.name) : nullptr;
    if (pair == nullptr) continue;
    const JudgedPart& part = pair->OfSurface(which.surface);
    looked += part.Looked(which.group);
    AppendNotes(part, which.group, &notes);
    for (const ClassedFinding& found : part.judgement.findings) {
      if (GroupOf(found.finding.rule) != which.group) continue;
      const std::string& exchange = found.finding.exchange;
      const bool classified = refusals_.IsClassified(which.lane->name, exchange, options_.today);
      if (which.group == "equal" && classified) continue;
      // What the reference does not tell it cannot be held up as.
      const bool compares = which.group == "equal" || which.group == "profile";
      if (compares && IsLeftOut(session, exchange)) continue;
      findings.push_back(found);
    }
  }
  return VerdictOf(findings, looked, "looks of rules", notes);
}

Verdict WireCampaign::JudgeProbe(const WireCase& which) {
  std::vector<ClassedFinding> findings;
  std::vector<std::string> notes;
  std::size_t exchanges = 0;
  for (const PlannedSession& session : sessions_) {
    for (const Place& place : session.places) {
      if (!which.Needs(*session.lane, place)) continue;
      SessionPair* pair = PairOf(session.name);
      if (pair == nullptr) continue;
      const PlaceFindings found = ExaminePlace(place, *pair, ContextOf(*which.lane));
      exchanges += found.exchanges;
      findings.insert(findings.end(), found.findings.begin(), found.findings.end());
      notes.insert(notes.end(), found.notes.begin(), found.notes.end());
    }
  }
  return VerdictOf(findings, exchanges, "exchanges", notes);
}

Verdict WireCampaign::JudgeLane(const WireCase& which) {
  std::vector<ClassedFinding> findings;
  std::vector<std::string> notes = LeftOut(which);
  std::size_t looked = 0;
  for (const PlannedSession& session : sessions_) {
    SessionPair* pair = session.lane == which.lane ? PairOf(session.name) : nullptr;
    if (pair == nullptr) continue;
    if (which.group != "end") {
      looked += pair->whole().Looked(which.group);
      AppendNotes(pair->whole(), which.group, &notes);
      for (const ClassedFinding& found : pair->whole().judgement.findings) {
        if (GroupOf(found.finding.rule) == which.group) findings.push_back(found);
      }
      continue;
    }
    std::vector<Finding> ends[2];
    for (const std::size_t side : {kReferenceSide, kCandidateSide}) {
      const auto& end = pair->record(side).end;
      if (!end) continue;
      looked += side == kCandidateSide ? 1 : 0;
      if (!end->as_asked) {
        ends[side].push_back({"end", session.name, "", end->text, "exit status 0, in time"});
      }
      for (const std::string& process : end->left) {
        ends[side].push_back({"end", session.name, "", "left running: " + process, "nothing"});
      }
    }
    for (const ClassedFinding& found : ClassAlone(ends[0], ends[1])) findings.push_back(found);
  }
  return VerdictOf(findings, looked, which.group == "end" ? "servers" : "looks of rules", notes);
}

// An entry that is not needed any more is taken away, or it would excuse what comes next.
Verdict WireCampaign::JudgeRefusals() {
  for (const PlannedSession& session : sessions_) {
    for (const Place& place : session.places) {
      SessionPair* pair = PairOf(session.name);
      if (pair != nullptr) ExaminePlace(place, *pair, ContextOf(*session.lane));
    }
  }
  std::vector<ClassedFinding> findings;
  std::size_t looked = 0;
  for (const ClassifiedRefusal& entry : refusals_.entries()) {
    if (!entry.asked) continue;
    ++looked;
    const std::string at = manifest_.wire.refusals + ":" + std::to_string(entry.at.line);
    if (entry.used && entry.until >= options_.today) continue;
    findings.push_back({{"refusal", entry.exchange, at,
                         entry.used ? "its last day was " + entry.until
                                    : "not refused by the " + entry.side + " alone",
                         "a refusal that is classified and still there"},
                        FindingClass::kCandidateLeavesProfile});
  }
  return VerdictOf(findings, looked, "classified refusals");
}

Verdict WireCampaign::Judge(const Case& which) {
  if (which.kind == CaseKind::kPreflight) return JudgePreflight(which.slug);
  const WireCase& asked = cases_.at(KeyOf(which.fixture, which.slug));
  if (const auto trouble = ReferenceTrouble(asked)) return *trouble;
  if (asked.fixture == kSurfaceFixture) return JudgeSurface(asked);
  if (asked.fixture == kProbeFixture) return JudgeProbe(asked);
  return asked.fixture == kLaneFixture ? JudgeLane(asked) : JudgeRefusals();
}

}  // namespace parity::wire
