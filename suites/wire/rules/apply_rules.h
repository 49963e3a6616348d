// All rules over what one side said, or over a pair.
#ifndef GTEST_PARITY_SUITES_WIRE_RULES_APPLY_RULES_H_
#define GTEST_PARITY_SUITES_WIRE_RULES_APPLY_RULES_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suites/wire/rules/rule.h"

namespace parity::wire {

struct Applied {
  std::vector<Finding> findings;
  std::vector<Note> notes;
  // How many things each rule looked at: 0 is not a pass of that rule, it had nothing to look at.
  std::map<std::string, std::size_t> looked;
};

// Those rules that one side can break alone; `only`: of that basis.
Applied ApplyRules(const SideView& side, const RuleOptions& options,
                   std::optional<Basis> only = std::nullopt);

// Those that compare both, over exchanges of the same name.
Applied ApplyPairRules(const SideView& reference, const SideView& candidate,
                       const RuleOptions& options);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_RULES_APPLY_RULES_H_
