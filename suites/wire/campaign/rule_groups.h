// Rules by the case that tells of them.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_RULE_GROUPS_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_RULE_GROUPS_H_

#include <string>
#include <string_view>
#include <vector>

#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

// "http", "sse", "stream", "text", "usage", "errors", "schema", "equal", "profile": of a surface;
// "probe": of a probe's own case; "ids", "metrics": of a lane.
std::string_view GroupOf(const std::string& rule);

// Groups that a surface has cases of; `streams`: it is asked for streams. A group with nothing to
// look at would compare nothing.
std::vector<std::string_view> GroupsOf(Surface surface, bool streams);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_RULE_GROUPS_H_
