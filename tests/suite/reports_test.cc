// The reports that a run leaves, also where it does not come to its end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "gtest_parity/report/files.h"
#include "tests/report/xml_check.h"
#include "tests/report/xml_schema.h"
#include "tests/suite/driver/manifest_text.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// "classname.name" of every test case in JUnit XML, without the group's, to whether it is red.
std::map<std::string, bool> CasesIn(const std::string& xml) {
  static const std::regex name(" name=\"([^\"]*)\""), suite(" classname=\"([^\"]*)\"");
  std::map<std::string, bool> cases;
  for (std::size_t at = 0; (at = xml.find("<testcase ", at)) != std::string::npos; ++at) {
    const std::string tag = xml.substr(at, xml.find('>', at) - at);
    const std::size_t next = xml.find("<testcase ", at + 1);
    const std::string body = xml.substr(at, std::min(next, xml.find("</testsuite>", at)) - at);
    std::smatch test, of;
    if (!std::regex_search(tag, test, name) || !std::regex_search(tag, of, suite)) continue;
    const std::string group = "group.";
    const std::string of_group =
        of.str(1).starts_with(group) ? of.str(1).substr(group.size()) : of.str(1);
    cases[of_group + "." + test.str(1)] =
        body.find("<failure") != std::string::npos || body.find("<error") != std::string::npos;
  }
  return cases;
}

TEST(Reports, OfGoogleTestAndOursAgreeOnRedAndGreen) {
  const ScratchFolder folder;
  SuiteArguments arguments = {.manifest = "tests/suite/quick.yaml",
                              .candidate = R"({"name": "bad_token"})"};
  arguments.more = {"--gtest_output=xml:" + folder.Path("gtest.xml")};
  const SuiteRun run(arguments);
  const std::string ours = ReadFileIfThere(run.folder() + "/junit.xml").value_or("");
  EXPECT_TRUE(IsWellFormed(ours));
  EXPECT_TRUE(IsValidJUnit(ours));
  const auto theirs = CasesIn(ReadFileIfThere(folder.Path("gtest.xml")).value_or(""));
  EXPECT_EQ(CasesIn(ours), theirs);
  std::set<std::string> red;
  for (const auto& [name, is_red] : theirs) {
    if (is_red) red.insert(name.substr(name.rfind('/') + 1));
  }
  EXPECT_THAT(red, ::testing::UnorderedElementsAre("prefill_next_token", "decode_next_token",
                                                   "prefill", "decode"));
}

TEST(Reports, OfASkippedCaseAgreeToo) {
  const ScratchFolder folder;
  std::string manifest = ReadFileIfThere(InSource("tests/suite/quick.yaml")).value_or("");
  for (const std::string from : {"backend: host", "../../"}) {
    const std::string to = from == "../../" ? InSource("") : "backend: cuda";
    for (std::size_t at = 0; (at = manifest.find(from, at)) != std::string::npos;) {
      manifest.replace(at, from.size(), to);
      at += to.size();
    }
  }
  SuiteArguments arguments = {.manifest = folder.Write("cuda.yaml", manifest),
                              .filter = "*decode_layer0_gate"};
  arguments.more = {"--gtest_output=xml:" + folder.Path("gtest.xml")};
  const SuiteRun run(arguments);
  for (const std::string& path : {run.folder() + "/junit.xml", folder.Path("gtest.xml")}) {
    EXPECT_THAT(ReadFileIfThere(path).value_or(""),
                AllOf(HasSubstr("<skipped message="), Not(HasSubstr("<failure"))));
  }
}

TEST(Reports, OfEngineInThisProcessSayThatTheyAreNoEvidence) {
  SuiteArguments arguments = {.manifest = "tests/suite/quick.yaml",
                              .filter = "*Preflight*:*decode_layer0_*:*EndToEnd*"};
  arguments.more = {"--parity_in_process"};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 0) << run.out() << run.err();
  ASSERT_THAT(run.cases(), Not(IsEmpty()));
  for (const CaseResult& result : run.cases()) {
    EXPECT_EQ(PropertyOf(result, "sides"), "in process: not evidence") << ShortName(result);
  }
  EXPECT_THAT(ReadFileIfThere(run.folder() + "/junit.xml").value_or(""),
              HasSubstr("[[PROPERTY|sides=in process: not evidence]]"));
}

TEST(Reports, RepeatCommandComesToTheSame) {
  SuiteArguments arguments = {.manifest = "tests/suite/quick.yaml",
                              .filter = "*decode_layer0_gate:*decode_layer0_up",
                              .candidate = R"({"name": "drift"})"};
  const SuiteRun run(arguments);
  for (const auto& [slug, exit_code] : {std::pair("gate", 1), std::pair("up", 0)}) {
    const CaseResult& result = run.At(std::string("SpanParity/decode_layer0_") + slug);
    const Finished again = RunProgram({"/bin/sh", "-c", result.repeat_command});
    EXPECT_EQ(again.exit_code, exit_code) << result.repeat_command << "\n" << again.Text();
    EXPECT_THAT(again.out, HasSubstr("Running 1 test from"));
  }
  EXPECT_THAT(ReadGroup({"group", run.folder(), {}}).cases, ::testing::SizeIs(2));
}

// Names of the cases, as `--gtest_list_tests` tells them.
std::set<std::string> Listed(const std::string& manifest, const std::string& filter = "*") {
  SuiteArguments arguments = {.manifest = manifest, .filter = filter, .reports = false};
  arguments.more = {"--gtest_list_tests"};
  std::istringstream lines(SuiteRun(arguments).out());
  std::set<std::string> names;
  std::string suite;
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find("  #"));
    if (line.starts_with("  ")) names.insert(suite + line.substr(2));
    if (!line.starts_with("  ")) suite = line;
  }
  return names;
}

std::vector<std::string> TagsOfCases(const std::string& xml) {
  static const std::regex tag("<testcase (classname=\"[^\"]*\" name=\"[^\"]*\")");
  std::vector<std::string> tags;
  for (std::sregex_iterator it(xml.begin(), xml.end(), tag), none; it != none; ++it) {
    tags.push_back(it->str(1));
  }
  return tags;
}

TEST(Names, AreTheSameInEveryRunAndThoseThatAreListed) {
  const SuiteArguments arguments = {.manifest = "tests/suite/quick.yaml",
                                    .filter = "*decode*:*Preflight*"};
  const SuiteRun one(arguments), other(arguments);
  const std::string xml = ReadFileIfThere(one.folder() + "/junit.xml").value_or("");
  EXPECT_THAT(TagsOfCases(xml), Not(IsEmpty()));
  EXPECT_EQ(TagsOfCases(xml),
            TagsOfCases(ReadFileIfThere(other.folder() + "/junit.xml").value_or("")));
  std::set<std::string> names;
  for (const auto& [name, red] : CasesIn(xml)) names.insert(name);
  EXPECT_EQ(names, Listed(arguments.manifest, arguments.filter));
}

// The descriptions of both sides with one more op, in the middle of every program.
TEST(Names, StayWhenAnUnrelatedOpIsInserted) {
  const ScratchFolder folder;
  const auto with_probe = [&](const std::string& name) {
    nlohmann::json description = nlohmann::json::parse(
        ReadFileIfThere(InSource("manifests/tiny/" + name + ".f32.json")).value_or(""));
    description["buffers"]["probe"] = {{"dtype", "f32"}, {"shape", {1}}, {"role", "output"}};
    for (nlohmann::json& program : description["programs"]) {
      if (program.value("once", false)) continue;
      nlohmann::json& ops = program["ops"];
      ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(ops.size() / 2),
                 nlohmann::json{{"op", "probe"}, {"label", "probe"}, {"writes", {"probe"}}});
    }
    return folder.Write(name + ".json", description.dump());
  };
  SideText reference = Paged(), candidate = Ported();
  const std::string plain = folder.Write("plain.yaml", ManifestText(reference, candidate));
  reference.description = with_probe("paged");
  candidate.description = with_probe("ported");
  const std::string probed = folder.Write("probed.yaml", ManifestText(reference, candidate));
  std::set<std::string> expected = Listed(plain);
  EXPECT_EQ(expected.size(), 5u + 112 + 2 + 2);
  expected.insert(
      {"written/SpanParity.Matches/prefill_probe", "written/SpanParity.Matches/decode_probe"});
  EXPECT_EQ(Listed(probed), expected);
}

// A judge that is killed: one that a candidate which hangs keeps in one case.
class KilledJudgeTest : public ::testing::Test {
 protected:
  KilledJudgeTest() : judge_(SuiteCommand(Arguments(), folder_.path()), SuiteEnvironment({})) {
    // For as long as it takes; CTest's own limit ends a wait in vain.
    while (judge_.Running() && !Begun()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    hosts_ = judge_.Children();
    judge_.Kill();
    exit_code_ = judge_.Wait().exit_code;
  }

  static SuiteArguments Arguments() {
    return {.manifest = "tests/suite/quick.yaml",
            .filter = "*decode_layer1_*",
            .candidate = R"({"name": "hang", "program": "decode"})",
            .deadline_seconds = 3600};
  }
  bool Begun() const {
    const std::string record = ReadFileIfThere(folder_.Path("cases.jsonl")).value_or("");
    return record.find("decode_layer1_attention\",\"started\"") != std::string::npos;
  }

  ScratchFolder folder_;
  Subprocess judge_;
  std::vector<pid_t> hosts_;
  int exit_code_ = 0;
};

TEST_F(KilledJudgeTest, TakesItsEngineHostAlong) {
  ASSERT_EQ(hosts_.size(), 1u);
  while (Runs(hosts_.front())) std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

TEST_F(KilledJudgeTest, LeavesARecordFromWhichJUnitIsRebuilt) {
  ASSERT_EQ(exit_code_, -SIGKILL);
  const GroupResult group = ReadGroup({"group", folder_.path(), {}});
  EXPECT_THAT(group.problems, Contains(HasSubstr("decode_layer1_attention")));
  std::filesystem::remove(folder_.Path("junit.xml"));
  const Finished rebuilt = RunProgram(
      {PARITY_COMMAND, "junit", folder_.path(), "--output", folder_.Path("rebuilt.xml")});
  EXPECT_EQ(rebuilt.exit_code, 0) << rebuilt.err;
  const std::string xml = ReadFileIfThere(folder_.Path("rebuilt.xml")).value_or("");
  EXPECT_TRUE(IsWellFormed(xml));
  const std::map<std::string, bool> cases = CasesIn(xml);
  EXPECT_TRUE(cases.at("quick/SpanParity.Matches/decode_layer1_attention"));
  EXPECT_FALSE(cases.at("quick/SpanParity.Matches/decode_layer1_q"));
  EXPECT_THAT(xml, HasSubstr("<error"));
  EXPECT_THAT(xml, HasSubstr("the process ended during this case"));
}

TEST_F(KilledJudgeTest, LosesNoCaseThatItDidNotReach) {
  const Finished rebuilt = RunProgram({PARITY_COMMAND, "junit", folder_.path()});
  EXPECT_TRUE(IsValidJUnit(rebuilt.out));
  std::map<std::string, bool> cases = CasesIn(rebuilt.out);
  EXPECT_TRUE(cases.at("group.IsComplete"));
  cases.erase("group.IsComplete");
  std::set<std::string> names, green;
  for (const auto& [name, red] : cases) {
    names.insert(name);
    if (!red) green.insert(name);
  }
  EXPECT_EQ(names, Listed("tests/suite/quick.yaml", "*decode_layer1_*"));
  // What ended before the kill is told as it was, the rest is red.
  std::set<std::string> ended;
  for (const CaseResult& result : ReadGroup({"group", folder_.path(), {}}).cases) {
    if (result.outcome == Outcome::kPass) ended.insert(result.FullName());
  }
  EXPECT_EQ(green, ended);
  EXPECT_THAT(green, Not(IsEmpty()));
  EXPECT_LT(green.size() + 1, names.size());
  EXPECT_THAT(rebuilt.out, HasSubstr("<failure message=\"not reached: the run ended before this "
                                     "case\" type=\"NOT_COMPARED\">"));
}

// The report that the killed run itself left says no less.
TEST_F(KilledJudgeTest, LeavesAReportOfItsOwnWithEveryCase) {
  const std::string xml = ReadFileIfThere(folder_.Path("junit.xml")).value_or("");
  EXPECT_TRUE(IsValidJUnit(xml));
  std::set<std::string> names;
  for (const auto& [name, red] : CasesIn(xml)) names.insert(name);
  EXPECT_EQ(names, Listed("tests/suite/quick.yaml", "*decode_layer1_*"));
}

}  // namespace
}  // namespace parity::testing
