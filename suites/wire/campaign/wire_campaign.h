// The wire surface matrix: a reference server and a candidate server answer the same requests, so
// that clients cannot tell them apart where it matters.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_WIRE_CAMPAIGN_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_WIRE_CAMPAIGN_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/judge/identity.h"
#include "gtest_parity/session/campaign.h"
#include "gtest_parity/session/session.h"
#include "suites/wire/campaign/examine_place.h"
#include "suites/wire/campaign/side_run.h"
#include "suites/wire/campaign/wire_cases.h"

namespace parity::wire {

// The reference's servers, one for each lane and for each probe that wants its own; when the last
// has ended, the candidate's. One server at a time. Of either side transcripts may do instead.
class WireCampaign : public Campaign {
 public:
  // Throws InvalidInput for probes or refusals that cannot be read, where the manifest names none,
  // and for sides that are no servers.
  WireCampaign(Manifest manifest, SessionOptions options);

  const Manifest& manifest() const override { return manifest_; }
  std::uint64_t seed() const override { return manifest_.workload.seed; }
  std::vector<Case> Cases() const override;
  void RecordReference(const std::vector<Case>& selected) override;
  void StartCandidate() override;
  void Stop() override {}
  Verdict Judge(const Case& which) override;
  std::optional<Verdict> Trouble() const override;
  bool is_evidence() const override { return true; }
  std::string OutputTail() const override;
  std::string SecondsText() const override;
  std::vector<std::string> Notes() const override;

 private:
  // Whether that side's transcripts are there, in place of its servers.
  bool IsOffline(std::size_t side) const;
  void PlanAll(const std::vector<Case>& selected);
  SideResult Ask(std::size_t side);
  void Guard(const std::function<void()>& work);
  std::optional<SideIdentity> IdentityOfSide(std::size_t side) const;
  SessionPair* PairOf(const std::string& session);
  Verdict JudgePreflight(const std::string& slug) const;
  Verdict JudgeSides() const;
  void FindLeftOut();
  bool IsLeftOut(const PlannedSession& session, const std::string& exchange) const;
  std::optional<Verdict> ReferenceTrouble(const WireCase& which) const;
  // Places that a case would need and goes without.
  std::vector<std::string> LeftOut(const WireCase& which) const;
  Verdict JudgeSurface(const WireCase& which);
  Verdict JudgeProbe(const WireCase& which);
  Verdict JudgeLane(const WireCase& which);
  Verdict JudgeRefusals();
  PlaceContext ContextOf(const WireLane& lane);

  Manifest manifest_;
  SessionOptions options_;
  Probes probes_;
  Refusals refusals_;
  std::map<std::string, WireCase> cases_;  // by fixture and slug
  std::vector<PlannedSession> sessions_;
  SideResult sides_[2];
  // Why the reference tells nothing of a place, by session and place.
  std::map<std::pair<std::string, std::string>, std::string> left_out_;
  ReferenceWays ways_;                                         // from all sessions
  std::map<std::string, std::unique_ptr<SessionPair>> pairs_;  // by session
  std::optional<Verdict> trouble_, sides_verdict_;
  double seconds_[2] = {0, 0};
};

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_WIRE_CAMPAIGN_H_
