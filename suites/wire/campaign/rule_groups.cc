#include "suites/wire/campaign/rule_groups.h"

#include <algorithm>
#include <array>
#include <span>

#include "suites/wire/probes/probe.h"
#include "suites/wire/rules/rule.h"

namespace parity::wire {
namespace {

struct Group {
  std::string_view name;
  std::span<const Rule> (*rules)();
};

constexpr std::array<Group, 14> kGroups = {{{"http", HttpRules},
                                            {"sse", SseRules},
                                            {"stream", ChunkRules},
                                            {"stream", MessagesRules},
                                            {"stream", ResponsesRules},
                                            {"text", TextRules},
                                            {"probe", TwinRules},
                                            {"usage", UsageRules},
                                            {"errors", ErrorRules},
                                            {"probe", ProbeRules},
                                            {"ids", SideRules},
                                            {"metrics", MetricsRules},
                                            {"schema", SchemaRules},
                                            {"equal", PairRules}}};

}  // namespace

std::string_view GroupOf(const std::string& rule) {
  if (rule.starts_with("profile.")) return "profile";
  for (const Group& group : kGroups) {
    const std::span<const Rule> rules = group.rules();
    if (std::any_of(rules.begin(), rules.end(), [&](const Rule& one) { return one.id == rule; })) {
      return group.name;
    }
  }
  return "probe";
}

std::vector<std::string_view> GroupsOf(Surface surface, bool streams) {
  if (surface == Surface::kMetrics) return {"http", "equal"};
  if (!Generates(surface)) return {"http", "equal", "profile"};
  std::vector<std::string_view> groups = {"http",   "text",  "usage",  "errors",
                                          "schema", "equal", "profile"};
  if (streams) groups.insert(groups.begin() + 1, {"sse", "stream"});
  return groups;
}

}  // namespace parity::wire
