// What may be BLOCKED, and what must not.
#ifndef GTEST_PARITY_REPORT_BLOCKED_H_
#define GTEST_PARITY_REPORT_BLOCKED_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "gtest_parity/report/case_result.h"

namespace parity {

// What a BLOCKED case lacks, of its property `needs`: "gpu", ...; empty if it does not say.
std::string NeedOf(const CaseResult& result);

// PARITY_ALLOW_BLOCKED: what may be BLOCKED and why.
class AllowedBlocked {
 public:
  AllowedBlocked() = default;
  // "name=reason;name=reason", also on several lines. A name is a need ("gpu"), a group's name or a
  // case's full name. Throws ReportError for an entry without a name or a reason.
  static AllowedBlocked Parse(std::string_view text);

  // The reason for which this case of this group may be BLOCKED.
  std::optional<std::string> ReasonFor(const std::string& group, const CaseResult& result) const;

 private:
  std::map<std::string, std::string, std::less<>> reasons_;
};

// PARITY_REQUIRE: "gpu,nvlink": what this machine is said to have.
std::set<std::string> ParseRequired(std::string_view text);

// FAIL for a case that is BLOCKED for want of something required, else its own outcome.
Outcome RequiredOutcome(const CaseResult& result, const std::set<std::string>& required);

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_BLOCKED_H_
