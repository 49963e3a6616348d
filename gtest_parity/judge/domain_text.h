// A domain violation in words.
#ifndef GTEST_PARITY_JUDGE_DOMAIN_TEXT_H_
#define GTEST_PARITY_JUDGE_DOMAIN_TEXT_H_

#include <string>

#include "gtest_parity/judge/evidence.h"

namespace parity {

// "3 elements outside the domain [0, 511], first 600 at [2]"; "none" where the count is 0.
std::string DomainText(const DomainViolation& violation, const std::string& first_at);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_DOMAIN_TEXT_H_
