#include "gtest_parity/report/group.h"

#include <filesystem>

#include "gtest_parity/report/error.h"
#include "gtest_parity/report/files.h"
#include "gtest_parity/report/record.h"

namespace parity {
namespace {

using Json = nlohmann::ordered_json;

// Runs `read` and turns nlohmann's errors, which name the key and the type, into ours.
template <typename Read>
auto Reading(const std::string& what, const Read& read) {
  try {
    return read();
  } catch (const Json::exception& error) {
    throw ReportError(what + ": " + error.what());
  }
}

void ReadInfo(GroupResult& result) {
  ExpectedGroup& expected = result.expected;
  const std::string path = expected.folder + "/group.json";
  const std::optional<std::string> text = ReadFileIfThere(path);
  if (!text) {
    result.problems.push_back("left no result: there is no " + path);
    return;
  }
  const Json json = Reading(path, [&] { return Json::parse(*text); });
  result.info = GroupInfoFromJson(json);
  if (result.info->ended.empty() || !result.info->exit_code) {
    result.problems.push_back("did not come to its end");
  }
  if (expected.name.empty()) expected.name = result.info->name;
  if (result.info->name != expected.name) {
    result.problems.push_back("its folder holds the result of '" + result.info->name + "'");
  }
}

void ReadCases(const ExpectedGroup& expected, GroupResult& result) {
  const std::string path = expected.folder + "/cases.jsonl";
  const std::optional<std::string> text = ReadFileIfThere(path);
  if (!text) {
    result.problems.push_back("left no result: there is no " + path);
    return;
  }
  RecordedCases recorded = ParseRecord(*text);
  result.cases = std::move(recorded.results);
  for (const std::string& name : recorded.unfinished) {
    result.problems.push_back("ended during " + name);
  }
  for (const std::uint64_t line : recorded.unreadable) {
    result.problems.push_back("line " + std::to_string(line) + " of cases.jsonl is unreadable");
  }
  if (recorded.torn) result.problems.push_back("the last line of cases.jsonl is torn");
  if (result.cases.empty()) result.problems.push_back("left no case");
}

}  // namespace

Json ToJson(const GroupInfo& info) {
  Json json{{"name", info.name},   {"suite", info.suite}, {"manifest", info.manifest},
            {"ranks", info.ranks}, {"seed", info.seed},   {"begun", info.begun}};
  if (!info.part.empty()) json["part"] = info.part;
  if (!info.ended.empty()) json["ended"] = info.ended;
  if (info.exit_code) json["exit_code"] = *info.exit_code;
  return json;
}

GroupInfo GroupInfoFromJson(const Json& json) {
  return Reading("group.json", [&json] {
    GroupInfo info;
    json.at("name").get_to(info.name);
    json.at("suite").get_to(info.suite);
    json.at("manifest").get_to(info.manifest);
    json.at("ranks").get_to(info.ranks);
    json.at("seed").get_to(info.seed);
    json.at("begun").get_to(info.begun);
    if (json.contains("part")) json.at("part").get_to(info.part);
    if (json.contains("ended")) json.at("ended").get_to(info.ended);
    if (json.contains("exit_code")) info.exit_code = json.at("exit_code").get<int>();
    return info;
  });
}

void WriteGroupInfo(const std::string& folder, const GroupInfo& info) {
  WriteFileAtomically(folder + "/group.json", JsonLine(ToJson(info)) + "\n");
}

GroupResult ReadGroup(const ExpectedGroup& expected) {
  GroupResult result;
  result.expected = expected;
  try {
    ReadInfo(result);
    ReadCases(expected, result);
  } catch (const ReportError& error) {
    result.problems.push_back(error.what());
  }
  if (result.expected.name.empty()) {
    const auto folder = std::filesystem::absolute(expected.folder + "/").lexically_normal();
    result.expected.name = folder.parent_path().filename();
  }
  return result;
}

std::vector<ExpectedGroup> ParseExpectedGroups(std::string_view text) {
  std::vector<ExpectedGroup> groups;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::string what = "line " + std::to_string(number) + " of the registered groups";
    groups.push_back(Reading(what, [&line] {
      const Json json = Json::parse(line);
      ExpectedGroup group;
      json.at("name").get_to(group.name);
      json.at("folder").get_to(group.folder);
      json.at("labels").get_to(group.labels);
      return group;
    }));
  }
  return groups;
}

}  // namespace parity
