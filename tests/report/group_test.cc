#include "gtest_parity/report/group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/report/error.h"
#include "gtest_parity/report/record.h"
#include "tests/report/results.h"

namespace parity {
namespace {

using namespace parity::testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

const ExpectedGroup kName = {"spans.paged_vs_fused.r1", "", {}};

ExpectedGroup In(const TemporaryFolder& folder) {
  ExpectedGroup expected = kName;
  expected.folder = folder.path();
  return expected;
}

GroupInfo Info() { return *Group("paged_vs_fused", {}).info; }

void Leave(const TemporaryFolder& folder, const GroupInfo& info) {
  WriteGroupInfo(folder.path(), info);
  CaseRecord record(folder / "cases.jsonl");
  const CaseResult result = Result(Outcome::kPass);
  record.Started(result.suite, result.test, result.started);
  record.Finished(result);
}

TEST(Group, InfoIsReadBack) {
  const GroupInfo info = GroupInfoFromJson(ToJson(Info()));
  EXPECT_EQ(ToJson(info), ToJson(Info()));
  EXPECT_EQ(info.ranks, 1u);
  EXPECT_EQ(info.exit_code, 0);
  GroupInfo begun = Info();
  begun.ended.clear();
  begun.exit_code.reset();
  EXPECT_EQ(GroupInfoFromJson(ToJson(begun)).exit_code, std::nullopt);
  begun.part = "3 of 4 cases";
  EXPECT_EQ(GroupInfoFromJson(ToJson(begun)).part, begun.part);
}

TEST(Group, BadInfoNamesItsKey) {
  auto json = ToJson(Info());
  json.erase("manifest");
  EXPECT_THAT([&] { GroupInfoFromJson(json); },
              ThrowsMessage<ReportError>(AllOf(HasSubstr("group.json"), HasSubstr("manifest"))));
  json = ToJson(Info());
  json["ranks"] = "two";
  EXPECT_THROW(GroupInfoFromJson(json), ReportError);
}

TEST(Group, ACompleteResultHasNoProblem) {
  const TemporaryFolder folder;
  Leave(folder, Info());
  const GroupResult result = ReadGroup(In(folder));
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(result.cases.size(), 1u);
  EXPECT_EQ(result.info->seed, 0x5eedu);
}

TEST(Group, AnEmptyNameBecomesTheFolders) {
  const TemporaryFolder folder;
  for (const std::string end : {"", "/"}) {
    EXPECT_EQ(ReadGroup({"", folder.path() + end, {}}).expected.name,
              std::filesystem::path(folder.path()).filename());
  }
  Leave(folder, Info());
  const GroupResult result = ReadGroup({"", folder.path(), {}});
  EXPECT_EQ(result.expected.name, Info().name);
  EXPECT_THAT(result.problems, IsEmpty());
}

TEST(Group, NoResultIsAProblem) {
  const TemporaryFolder folder;
  EXPECT_THAT(ReadGroup(In(folder)).problems,
              ElementsAre(AllOf(HasSubstr("left no result"), HasSubstr("group.json")),
                          AllOf(HasSubstr("left no result"), HasSubstr("cases.jsonl"))));
}

TEST(Group, AnEndThatNeverCameIsAProblem) {
  const TemporaryFolder folder;
  GroupInfo info = Info();
  info.ended.clear();
  Leave(folder, info);
  EXPECT_THAT(ReadGroup(In(folder)).problems, ElementsAre("did not come to its end"));
}

TEST(Group, AnotherGroupsResultIsAProblem) {
  const TemporaryFolder folder;
  GroupInfo info = Info();
  info.name = "spans.other.r1";
  Leave(folder, info);
  EXPECT_THAT(ReadGroup(In(folder)).problems,
              ElementsAre("its folder holds the result of 'spans.other.r1'"));
}

TEST(Group, CasesThatDidNotEndAndTornLinesAreProblems) {
  const TemporaryFolder folder;
  Leave(folder, Info());
  { CaseRecord(folder / "cases.jsonl", CaseRecord::Mode::kAppend).Started("s", "t", "now"); }
  EXPECT_THAT(ReadGroup(In(folder)).problems, ElementsAre("ended during s.t"));
  WriteFileAtomically(folder / "cases.jsonl", "nonsense\n{\"event\"");
  EXPECT_THAT(ReadGroup(In(folder)).problems,
              ElementsAre("line 1 of cases.jsonl is unreadable",
                          "the last line of cases.jsonl is torn", "left no case"));
}

TEST(Group, AGroupJsonThatIsNoneIsAProblem) {
  const TemporaryFolder folder;
  Leave(folder, Info());
  WriteFileAtomically(folder / "group.json", "{\"name\":");
  EXPECT_THAT(ReadGroup(In(folder)).problems, ElementsAre(HasSubstr("group.json: ")));
}

TEST(ExpectedGroups, AreJsonLines) {
  const auto groups = ParseExpectedGroups(
      "{\"name\":\"a\",\"folder\":\"/out/a\",\"labels\":[\"parity\",\"spans\"]}\n\n"
      "{\"name\":\"b\",\"folder\":\"/out/b\",\"labels\":[]}");
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].folder, "/out/a");
  EXPECT_THAT(groups[0].labels, ElementsAre("parity", "spans"));
  EXPECT_EQ(groups[1].name, "b");
  EXPECT_THAT(ParseExpectedGroups(""), IsEmpty());
}

TEST(ExpectedGroups, ABadLineIsNumbered) {
  EXPECT_THAT([] { ParseExpectedGroups("\n{\"name\":\"a\"}\n"); },
              ThrowsMessage<ReportError>(StartsWith("line 2 of the registered groups")));
  EXPECT_THROW(ParseExpectedGroups("a b c\n"), ReportError);
}

}  // namespace
}  // namespace parity
