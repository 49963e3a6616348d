#include "suites/wire/campaign/wire_campaign.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "gtest_parity/judge/number_text.h"
#include "gtest_parity/session/session_parts.h"
#include "gtest_parity/session/side_identity.h"
#include "suites/wire/probes/on_surfaces.h"
#include "suites/wire/probes/read_probes.h"

namespace parity::wire {
namespace {

constexpr const char* kSides[] = {"reference", "candidate"};

Probes ProbesOf(const Manifest& manifest) {
  if (manifest.wire.probes.empty()) {
    throw InvalidInput({{manifest.path, {}, "wire.probes", "nothing", "what servers are asked"}});
  }
  Probes probes = ReadProbes(manifest.wire.probes);
  if (manifest.wire.surfaces.empty()) return probes;
  std::vector<Surface> kept;
  for (const std::string& name : manifest.wire.surfaces) {
    if (ParseName(name, &kept.emplace_back())) continue;
    throw InvalidInput(
        {{manifest.path, {}, "wire.surfaces", Quoted(name), ExpectedName(name, SurfaceNames())}});
  }
  return OnSurfaces(std::move(probes), kept);
}

}  // namespace

WireCampaign::WireCampaign(Manifest manifest, SessionOptions options)
    : manifest_(std::move(manifest)), options_(std::move(options)), probes_(ProbesOf(manifest_)) {
  if (!manifest_.wire.refusals.empty()) {
    refusals_ = Refusals::Read(manifest_.wire.refusals, probes_);
  }
  if (!options_.transcripts.empty() && !IsOffline(kReferenceSide) && !IsOffline(kCandidateSide)) {
    throw InvalidInput({{options_.transcripts,
                         {},
                         "--parity_transcripts",
                         "no transcripts",
                         "a folder with reference/ or candidate/ or both"}});
  }
  ExpectConfigurable(manifest_, probes_);
  for (const WireCase& which : WireCasesOf(probes_, !refusals_.entries().empty())) {
    cases_[KeyOf(which.fixture, which.slug)] = which;
  }
}

bool WireCampaign::IsOffline(std::size_t side) const {
  return !options_.transcripts.empty() &&
         std::filesystem::is_directory(options_.transcripts + "/" + kSides[side]);
}

std::vector<Case> WireCampaign::Cases() const {
  std::vector<Case> cases = PreflightCases();
  for (const WireCase& which : WireCasesOf(probes_, !refusals_.entries().empty())) {
    cases.push_back({CaseKind::kAsked, which.slug, 0, {}, {}, which.fixture});
  }
  return cases;
}

// All that some selected case needs, and that --parity_run does not leave out.
void WireCampaign::PlanAll(const std::vector<Case>& selected) {
  std::vector<const WireCase*> wanted;
  bool refusals = false;
  for (const Case& which : selected) {
    if (which.kind != CaseKind::kAsked) continue;
    wanted.push_back(&cases_.at(KeyOf(which.fixture, which.slug)));
    refusals = refusals || which.fixture == kRefusalFixture;
  }
  const auto is_classified = [&](const Place& place) {
    return std::any_of(refusals_.entries().begin(), refusals_.entries().end(),
                       [&](const ClassifiedRefusal& entry) { return IsOf(place, entry.exchange); });
  };
  sessions_ = PlanSessions(probes_, [&](const WireLane& lane, const Place& place) {
    if (place.Name().find(options_.filter.run) == std::string::npos) return false;
    if (refusals && is_classified(place)) return true;
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](const WireCase* which) { return which->Needs(lane, place); });
  });
}

// What breaks the harness breaks every case; what breaks a side is told by its cases.
void WireCampaign::Guard(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    trouble_ = TroubleVerdict(Outcome::kError, error.what());
  }
}

SideResult WireCampaign::Ask(std::size_t side) {
  if (IsOffline(side)) return ReadSide(options_.transcripts + "/" + kSides[side], sessions_);
  const std::string folder =
      options_.log_folder.empty() ? "" : options_.log_folder + "/transcripts/" + kSides[side];
  return RunSide(manifest_, options_, probes_, side, sessions_, folder);
}

void WireCampaign::RecordReference(const std::vector<Case>& selected) {
  const Timer timer(seconds_[kReferenceSide]);
  Guard([&] {
    PlanAll(selected);
    sides_[kReferenceSide] = Ask(kReferenceSide);
    ways_ = WaysOf(sides_[kReferenceSide].sessions);
  });
}

void WireCampaign::StartCandidate() {
  if (trouble_) return;
  const Timer timer(seconds_[kCandidateSide]);
  Guard([&] {
    sides_[kCandidateSide] = Ask(kCandidateSide);
    FindLeftOut();
    sides_verdict_ = JudgeSides();
  });
}

std::optional<SideIdentity> WireCampaign::IdentityOfSide(std::size_t side) const {
  if (sides_[side].objects.empty()) return std::nullopt;
  const SideDeclaration& declared =
      side == kReferenceSide ? manifest_.reference : manifest_.candidate;
  return IdentityOf(manifest_, declared, sides_[side].objects);
}

Verdict WireCampaign::JudgeSides() const {
  if (IsOffline(kReferenceSide) || IsOffline(kCandidateSide)) {
    Verdict verdict;
    const bool same = sides_[kReferenceSide].provenance == sides_[kCandidateSide].provenance;
    verdict.outcome = same && !manifest_.judge.self_allowed ? Outcome::kSelf : Outcome::kPass;
    verdict.summary = same ? "both transcripts are of one server" : "transcripts of two servers";
    return verdict;
  }
  const auto reference = IdentityOfSide(kReferenceSide), candidate = IdentityOfSide(kCandidateSide);
  if (!reference) return TroubleVerdict(Outcome::kError, "the reference's servers did not run");
  if (!candidate) return TroubleVerdict(Outcome::kFail, "the candidate's servers did not run");
  return JudgeIdentity(*reference, *candidate, manifest_.judge.self_allowed);
}

std::optional<Verdict> WireCampaign::Trouble() const {
  if (trouble_) return trouble_;
  // A server that never came up is told by the cases that it should have answered.
  const auto ran = [&](std::size_t side) {
    return IsOffline(side) || !sides_[side].objects.empty();
  };
  if (!ran(kReferenceSide) || !ran(kCandidateSide) || !sides_verdict_ ||
      Passes(sides_verdict_->outcome))
    return std::nullopt;
  return sides_verdict_;
}

Verdict WireCampaign::JudgePreflight(const std::string& slug) const {
  if (trouble_) return *trouble_;
  if (slug == "sides") return sides_verdict_ ? *sides_verdict_ : JudgeSides();
  const std::size_t side = slug == "reference" ? kReferenceSide : kCandidateSide;
  const SideResult& result = sides_[side];
  if (!result.unready.empty()) {
    return TroubleVerdict(side == kReferenceSide ? Outcome::kError : Outcome::kFail,
                          "the " + slug + "'s server " + result.unready);
  }
  Verdict verdict;
  verdict.outcome = Outcome::kPass;
  verdict.summary = (IsOffline(side) ? "read from transcripts, " : "started, ") +
                    std::to_string(sessions_.size()) + " sessions";
  SetProperty(verdict, "provenance", result.provenance);
  return verdict;
}

std::string WireCampaign::OutputTail() const {
  const SideResult& last = sides_[sides_[kCandidateSide].sessions.empty() ? 0 : 1];
  return last.output;
}

std::string WireCampaign::SecondsText() const {
  return "reference " + ShortText(seconds_[kReferenceSide]) + " s, candidate " +
         ShortText(seconds_[kCandidateSide]) + " s, in " + std::to_string(sessions_.size()) +
         " sessions each";
}

std::vector<std::string> WireCampaign::Notes() const {
  std::vector<std::string> notes;
  for (const std::size_t side : {kReferenceSide, kCandidateSide}) {
    if (IsOffline(side)) {
      notes.push_back(std::string("no server of the ") + kSides[side] + " ran: transcripts of " +
                      options_.transcripts);
    }
    if (!probes_.words[side].counters.routes.empty()) continue;
    notes.push_back(std::string("the ") + kSides[side] +
                    "'s counters tell no routes: which lane served is not known");
  }
  return notes;
}

}  // namespace parity::wire
