// One group of cases as CTest registers it, and the folder that its run leaves.
#ifndef GTEST_PARITY_REPORT_GROUP_H_
#define GTEST_PARITY_REPORT_GROUP_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/report/case_result.h"

namespace parity {

// What group.json holds.
struct GroupInfo {
  std::string name;      // "spans.paged_vs_fused.r2"
  std::string suite;     // "spans"
  std::string manifest;  // "paged_vs_fused"
  std::uint32_t ranks = 1;
  std::uint64_t seed = 0;
  std::string part;              // what of it somebody chose to run; empty: all
  std::string begun;             // ISO 8601, UTC
  std::string ended;             // empty: the run has not come to its end
  std::optional<int> exit_code;  // set together with `ended`
};

nlohmann::ordered_json ToJson(const GroupInfo& info);
// Throws ReportError that names the key and what was expected.
GroupInfo GroupInfoFromJson(const nlohmann::ordered_json& json);

// <folder>/group.json, replaced as a whole. Throws ReportError.
void WriteGroupInfo(const std::string& folder, const GroupInfo& info);

// A group that was registered.
struct ExpectedGroup {
  std::string name, folder;
  std::vector<std::string> labels;
};

// What a registered group left. Nothing here is trusted to be complete: see `problems`.
struct GroupResult {
  ExpectedGroup expected;
  std::optional<GroupInfo> info;
  std::vector<CaseResult> cases;
  std::vector<std::string>
      problems;  // no result, torn or unreadable lines, a case that did not end
};

// Reads group.json and cases.jsonl. What is missing or unreadable becomes a problem, not an error.
// An expected name that is empty becomes the one that the folder's group.json has, or the folder's.
GroupResult ReadGroup(const ExpectedGroup& expected);

// JSON lines {"name": ..., "folder": ..., "labels": [...]}. Throws ReportError with the line
// number.
std::vector<ExpectedGroup> ParseExpectedGroups(std::string_view text);

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_GROUP_H_
