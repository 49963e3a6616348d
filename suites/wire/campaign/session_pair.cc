#include "suites/wire/campaign/session_pair.h"

#include <algorithm>

#include "suites/wire/campaign/rule_groups.h"
#include "suites/wire/transcript/transcript_keys.h"

namespace parity::wire {
namespace {

constexpr int kWhole = -1;

Transcript SurfaceOnly(const Transcript& all, Surface surface) {
  Transcript part;
  part.side = all.side;
  part.server = all.server;
  for (const Exchange& exchange : all.exchanges) {
    if (exchange.requests[0].surface == surface) part.exchanges.push_back(exchange);
  }
  for (Exchange& exchange : part.exchanges) {
    for (const auto& [key, member] : kExchangeNames) {
      std::string& named = exchange.*member;
      if (part.Find(named) == nullptr) named.clear();
    }
  }
  return part;
}

// Whether it is in or below one of those members.
bool IsUnprofiled(const Finding& finding, const std::vector<std::string>& members) {
  const std::string where = finding.where + "/";
  return std::any_of(members.begin(), members.end(), [&](const std::string& member) {
    return where.find("/" + member + "/") != std::string::npos;
  });
}

bool IsOfProfile(const std::string& rule) { return rule.starts_with("profile."); }

}  // namespace

std::size_t JudgedPart::Looked(std::string_view group) const {
  std::size_t looked = 0;
  for (const RuleOutcome& outcome : judgement.rules) {
    if (GroupOf(outcome.rule) == group) looked += outcome.looked;
  }
  return looked;
}

SessionPair::SessionPair(const SessionRecord& reference, const SessionRecord& candidate,
                         const Probes& probes, const ReferenceWays& ways)
    : records_{&reference, &candidate}, probes_(probes), ways_(ways) {}

const JudgedPart& SessionPair::whole() {
  const auto [part, fresh] = parts_.try_emplace(kWhole);
  if (fresh) {
    for (const std::size_t side : {kReferenceSide, kCandidateSide}) {
      part->second.transcripts[side] = records_[side]->transcript;
    }
    Judge(part->second);
  }
  return part->second;
}

const JudgedPart& SessionPair::OfSurface(Surface surface) {
  const auto [part, fresh] = parts_.try_emplace(static_cast<int>(surface));
  if (fresh) {
    for (const std::size_t side : {kReferenceSide, kCandidateSide}) {
      part->second.transcripts[side] = SurfaceOnly(records_[side]->transcript, surface);
    }
    Judge(part->second);
  }
  return part->second;
}

void SessionPair::Judge(JudgedPart& part) const {
  RuleOptions options[2];
  for (const std::size_t side : {kReferenceSide, kCandidateSide}) {
    part.views[side] = std::make_unique<SideView>(part.transcripts[side]);
    options[side].metrics = probes_.words[side].metrics;
    options[side].same_metrics =
        probes_.words[kReferenceSide].metrics == probes_.words[kCandidateSide].metrics;
  }
  const SideView& candidate = *part.views[kCandidateSide];
  part.judgement = JudgeWire(*part.views[kReferenceSide], candidate, options[kReferenceSide],
                             options[kCandidateSide], ways_.habits);
  std::erase_if(part.judgement.findings,
                [](const ClassedFinding& found) { return IsOfProfile(found.finding.rule); });
  for (const Finding& finding : ApplyProfile(ways_.profile, candidate).findings) {
    if (IsUnprofiled(finding, probes_.unprofiled)) continue;
    part.judgement.findings.push_back({finding, FindingClass::kCandidateLeavesProfile});
  }
}

ReferenceWays WaysOf(const std::vector<SessionRecord>& sessions) {
  ReferenceWays ways;
  for (const SessionRecord& session : sessions) {
    const SideView view(session.transcript);
    LearnProfile(view, &ways.profile);
    ways.habits.merge(HabitsOf(view, {}));
  }
  return ways;
}

}  // namespace parity::wire
