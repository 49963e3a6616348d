// Places of which the reference tells nothing.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_LEFT_OUT_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_LEFT_OUT_H_

#include <string>

#include "suites/wire/campaign/plan_asks.h"
#include "suites/wire/campaign/session_record.h"

namespace parity::wire {

// Why: its server died there, the place could not be asked, or a client waited in vain for what the
// candidate did answer. Empty where it tells.
std::string WhyLeftOut(const Place& place, const SessionRecord& reference,
                       const SessionRecord* candidate);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_LEFT_OUT_H_
