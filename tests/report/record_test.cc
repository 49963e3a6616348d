#include "gtest_parity/report/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/report/error.h"
#include "tests/report/results.h"

namespace parity {
namespace {

using namespace parity::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

constexpr char kTime[] = "2030-06-15T10:00:00Z";

void Begin(CaseRecord& record, const CaseResult& result) {
  record.Started(result.suite, result.test, kTime);
}

void Play(CaseRecord& record, const CaseResult& result) {
  Begin(record, result);
  record.Finished(result);
}

// Text of a record in which these cases ran.
std::string TextOf(const std::vector<CaseResult>& results) {
  const TemporaryFolder folder;
  CaseRecord record(folder / "cases.jsonl");
  for (const CaseResult& result : results) Play(record, result);
  return ReadFileIfThere(folder / "cases.jsonl").value();
}

TEST(Record, FinishedCasesAreReadBackInOrder) {
  const RecordedCases recorded =
      ParseRecord(TextOf({Result(Outcome::kPass, "b"), Result(Outcome::kFail, "a")}));
  ASSERT_EQ(recorded.results.size(), 2u);
  EXPECT_EQ(ToJson(recorded.results[0]), ToJson(Result(Outcome::kPass, "b")));
  EXPECT_EQ(recorded.results[1].outcome, Outcome::kFail);
  EXPECT_THAT(recorded.unfinished, IsEmpty());
  EXPECT_FALSE(recorded.torn);
}

TEST(Record, EveryLineIsThereAtOnce) {
  const TemporaryFolder folder;
  CaseRecord record(folder / "cases.jsonl");
  Begin(record, Result(Outcome::kPass));
  EXPECT_THAT(ReadFileIfThere(folder / "cases.jsonl").value(), HasSubstr("\"event\":\"started\""));
}

TEST(Record, ACaseThatDidNotEndIsAnError) {
  const TemporaryFolder folder;
  CaseRecord record(folder / "cases.jsonl");
  Play(record, Result(Outcome::kPass, "first"));
  Begin(record, Result(Outcome::kPass, "second"));
  const RecordedCases recorded = ReadRecord(folder / "cases.jsonl");
  ASSERT_EQ(recorded.results.size(), 2u);
  const CaseResult& lost = recorded.results[1];
  EXPECT_EQ(lost.outcome, Outcome::kError);
  EXPECT_EQ(lost.verdict.summary, "the process ended during this case");
  EXPECT_EQ(lost.started, kTime);
  EXPECT_THAT(recorded.unfinished, ElementsAre("paged_vs_fused/SpanParity.second"));
}

TEST(Record, ACaseThatWasSelectedAndNeverBeganIsNotCompared) {
  const TemporaryFolder folder;
  CaseRecord record(folder / "cases.jsonl");
  const std::string suite = Result(Outcome::kPass).suite;
  record.Selected({{suite, "first"}, {suite, "second"}, {suite, "third"}});
  Play(record, Result(Outcome::kPass, "first"));
  Begin(record, Result(Outcome::kPass, "second"));
  const RecordedCases recorded = ReadRecord(folder / "cases.jsonl");
  ASSERT_EQ(recorded.results.size(), 3u);
  EXPECT_EQ(recorded.results[0].outcome, Outcome::kPass);
  EXPECT_EQ(recorded.results[1].outcome, Outcome::kError);
  EXPECT_EQ(recorded.results[2].outcome, Outcome::kNotCompared);
  EXPECT_EQ(recorded.results[2].verdict.summary, "not reached: the run ended before this case");
  EXPECT_EQ(recorded.results[2].FullName(), suite + ".third");
  EXPECT_THAT(recorded.unfinished, ElementsAre(suite + ".second"));
  EXPECT_THAT(ParseRecord("{\"event\":\"selected\",\"cases\":[[\"a\"]]}\n").unreadable,
              ElementsAre(1));
}

TEST(Record, ATornLastLineIsToldAndItsCaseDidNotEnd) {
  std::string text = TextOf({Result(Outcome::kPass, "first"), Result(Outcome::kPass, "second")});
  for (const std::size_t cut : {1u, 40u}) {
    const RecordedCases recorded = ParseRecord(text.substr(0, text.size() - cut));
    EXPECT_TRUE(recorded.torn);
    ASSERT_EQ(recorded.results.size(), 2u);
    EXPECT_EQ(recorded.results[0].outcome, Outcome::kPass);
    EXPECT_EQ(recorded.results[1].outcome, Outcome::kError);
    EXPECT_THAT(recorded.unreadable, IsEmpty());
  }
}

TEST(Record, UnreadableLinesAreNumbered) {
  const std::string good = TextOf({Result(Outcome::kPass)});
  const RecordedCases recorded =
      ParseRecord("not json\n" + good + "{\"event\":\"paused\"}\n{\"event\":\"finished\"}\n[]\n");
  EXPECT_THAT(recorded.unreadable, ElementsAre(1, 4, 5, 6));
  EXPECT_EQ(recorded.results.size(), 1u);
}

TEST(Record, OfARepeatedCaseTheWorstCounts) {
  const auto outcome = [](std::vector<Outcome> outcomes) {
    std::vector<CaseResult> results;
    for (const Outcome each : outcomes) results.push_back(Result(each));
    const RecordedCases recorded = ParseRecord(TextOf(results));
    EXPECT_EQ(recorded.results.size(), 1u);
    return recorded.results.at(0).outcome;
  };
  EXPECT_EQ(outcome({Outcome::kFail, Outcome::kPass}), Outcome::kFail);
  EXPECT_EQ(outcome({Outcome::kPass, Outcome::kInconclusive, Outcome::kPass}),
            Outcome::kInconclusive);
}

TEST(Record, ARepeatThatDidNotEndIsAnErrorUnlessOneFailed) {
  for (const auto& [before, after] :
       {std::pair{Outcome::kPass, Outcome::kError}, std::pair{Outcome::kFail, Outcome::kFail}}) {
    const TemporaryFolder folder;
    CaseRecord record(folder / "cases.jsonl");
    Play(record, Result(before));
    Begin(record, Result(before));
    const RecordedCases recorded = ReadRecord(folder / "cases.jsonl");
    EXPECT_EQ(recorded.results.at(0).outcome, after);
    EXPECT_EQ(recorded.unfinished.size(), 1u);
  }
}

TEST(Record, FreshForgetsAndAppendKeeps) {
  const TemporaryFolder folder;
  const std::string path = folder / "cases.jsonl";
  {
    CaseRecord record(path);
    Play(record, Result(Outcome::kFail, "old"));
  }
  {
    CaseRecord record(path, CaseRecord::Mode::kAppend);
    Play(record, Result(Outcome::kPass, "new"));
  }
  EXPECT_EQ(ReadRecord(path).results.size(), 2u);
  {
    CaseRecord record(path);
    Play(record, Result(Outcome::kPass, "new"));
  }
  EXPECT_EQ(ReadRecord(path).results.size(), 1u);
}

TEST(Record, AppendingAfterATornLineLosesNothingElse) {
  const TemporaryFolder folder;
  const std::string path = folder / "cases.jsonl";
  const std::string text = TextOf({Result(Outcome::kPass, "first")});
  WriteFileAtomically(path, text.substr(0, text.size() - 9));
  {
    CaseRecord record(path, CaseRecord::Mode::kAppend);
    Begin(record, Result(Outcome::kPass, "second"));
  }
  const RecordedCases recorded = ReadRecord(path);
  EXPECT_THAT(recorded.unreadable, ElementsAre(2));
  ASSERT_EQ(recorded.results.size(), 2u);
  EXPECT_EQ(recorded.results[0].outcome, Outcome::kError);
  EXPECT_THAT(recorded.unfinished, ElementsAre(HasSubstr("first"), HasSubstr("second")));
}

TEST(Record, AFullDiskIsAnError) {
  CaseRecord record("/dev/full");
  EXPECT_THAT([&] { Begin(record, Result(Outcome::kPass)); },
              ThrowsMessage<ReportError>(HasSubstr("'/dev/full': No space left on device")));
  EXPECT_THROW(record.Finished(Result(Outcome::kPass)), ReportError);
}

TEST(Record, AnUnwritableFolderIsAnError) {
  EXPECT_THAT(
      [] { CaseRecord record("/proc/self/cases.jsonl"); },
      ThrowsMessage<ReportError>(HasSubstr("cannot open the record of cases '/proc/self/")));
  const TemporaryFolder folder;
  EXPECT_THROW(CaseRecord(folder / "none/cases.jsonl"), ReportError);
}

TEST(Record, AMissingRecordIsAnErrorAndAnEmptyOneIsEmpty) {
  const TemporaryFolder folder;
  EXPECT_THROW(ReadRecord(folder / "cases.jsonl"), ReportError);
  EXPECT_THAT(ParseRecord("").results, IsEmpty());
}

}  // namespace
}  // namespace parity
