// What only one of two servers refuses, and who has looked at it.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_REFUSALS_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_REFUSALS_H_

#include <string>
#include <vector>

#include "gtest_parity/manifest/diagnostics.h"
#include "suites/wire/judge/judge_wire.h"
#include "suites/wire/probes/probe.h"

namespace parity::wire {

// A refusal of one side alone that a person has judged to be right.
struct ClassifiedRefusal {
  std::string exchange, lane;  // no lane: any
  std::string side;            // that refuses
  std::string reason;
  std::string until;  // YYYY-MM-DD, the last day it counts
  Position at;
  bool used = false;
  bool asked = false;  // its exchange was played on both sides
};

class Refusals {
 public:
  Refusals() = default;
  // Throws InvalidInput with every error, also for an exchange that no probe has.
  static Refusals Read(const std::string& path, const Probes& probes);
  static Refusals ReadText(const std::string& path, const std::string& text, const Probes& probes);

  // How the pair was taken, as findings of the rule `refusal`: none where both accept, both refuse
  // alike, or one that refuses alone is classified.
  std::vector<ClassedFinding> Compare(const std::string& lane, const ExchangeView& reference,
                                      const ExchangeView& candidate, const std::string& today);

  // Whether one side alone may refuse there: what else differs then is no finding either.
  bool IsClassified(const std::string& lane, const std::string& exchange,
                    const std::string& today) const;

  const std::vector<ClassifiedRefusal>& entries() const { return entries_; }

 private:
  const ClassifiedRefusal* Find(const std::string& lane, const std::string& exchange,
                                const std::string& side, const std::string& today);

  std::vector<ClassifiedRefusal> entries_;
};

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_REFUSALS_H_
