// One session of both sides, taken apart once for all cases.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SESSION_PAIR_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SESSION_PAIR_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "suites/wire/campaign/session_record.h"
#include "suites/wire/judge/judge_wire.h"
#include "suites/wire/probes/probe.h"

namespace parity::wire {

// What both transcripts have of one surface, or all of them.
struct JudgedPart {
  Transcript transcripts[2];
  std::unique_ptr<SideView> views[2];
  WireJudgement judgement;

  std::size_t Looked(std::string_view group) const;
};

// What the reference does anywhere, in whatever session: no case holds it against the candidate.
struct ReferenceWays {
  Profile profile;
  std::set<std::string> habits;  // see HabitsOf
};

ReferenceWays WaysOf(const std::vector<SessionRecord>& sessions);

class SessionPair {
 public:
  // All outlive it.
  SessionPair(const SessionRecord& reference, const SessionRecord& candidate, const Probes& probes,
              const ReferenceWays& ways);

  const SessionRecord& record(std::size_t side) const { return *records_[side]; }
  const JudgedPart& whole();
  // Without what refers to other surfaces.
  const JudgedPart& OfSurface(Surface surface);

 private:
  void Judge(JudgedPart& part) const;

  const SessionRecord* records_[2];
  const Probes& probes_;
  const ReferenceWays& ways_;
  std::map<int, JudgedPart> parts_;  // by surface; -1: the whole
};

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SESSION_PAIR_H_
