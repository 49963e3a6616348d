// Copies of one connection, in an order that is not chance.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SORT_COPIES_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SORT_COPIES_H_

#include <vector>

#include "suites/wire/campaign/plan_asks.h"

namespace parity::wire {

// Which of several equal requests is turned away is chance: those that were served come first,
// under the names of the first. `asks`: what PlanAsks has of the probe, once played.
void SortCopies(const Probe& probe, std::vector<PlannedAsk>* asks);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SORT_COPIES_H_
