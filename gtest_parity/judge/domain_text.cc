#include "gtest_parity/judge/domain_text.h"

#include "gtest_parity/judge/finding.h"
#include "gtest_parity/judge/number_text.h"

namespace parity {

std::string DomainText(const DomainViolation& violation, const std::string& first_at) {
  if (violation.count == 0) return "none";
  return Counted(violation.count, "element") + " outside the domain [" + NumberText(violation.min) +
         ", " + NumberText(violation.max) + "], first " + NumberText(violation.first_value) +
         " at " + first_at;
}

}  // namespace parity
