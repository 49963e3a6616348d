#include "gtest_parity/report/junit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <locale>

#include "gtest_parity/report/error.h"
#include "gtest_parity/report/files.h"
#include "tests/report/golden.h"
#include "tests/report/results.h"
#include "tests/report/xml_check.h"
#include "tests/report/xml_schema.h"

namespace parity {
namespace {

using namespace parity::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string XmlOf(std::vector<CaseResult> cases) {
  return JUnitXml({Group("paged_vs_fused", std::move(cases), 2)});
}

TEST(JUnit, MatchesTheGolden) {
  CaseResult failed = Span(Outcome::kFail, SpanClass::kDifferent, true);
  failed.verdict.summary = "differs in 1 of 64 elements";
  failed.verdict.findings = {"rank 1, attn[0, 5]: got \"0.5\" <> \"0.75\"", "note: b"};
  failed.output_tail = "host says\n\x1b[31mbye\x1b[0m\n";
  SetProperty(failed.verdict, "rank", "1");
  CaseResult passed = Span(Outcome::kPassStar, SpanClass::kBroken, false, "Matches/decode_layer1");
  const std::string xml =
      XmlOf({failed, passed, Blocked("gpu"), Whole(Outcome::kInconclusive, "0.02")});
  EXPECT_TRUE(IsWellFormed(xml));
  EXPECT_TRUE(IsValidJUnit(xml));
  EXPECT_TRUE(MatchesGolden("junit.xml", xml));
}

TEST(JUnit, EveryOutcomeHasItsElement) {
  const auto element = [](Outcome outcome) {
    const std::string xml = XmlOf({Result(outcome)});
    EXPECT_TRUE(IsWellFormed(xml));
    EXPECT_TRUE(IsValidJUnit(xml));
    EXPECT_THAT(
        xml, HasSubstr("<system-out>[[PROPERTY|outcome=" + std::string(NameOf(outcome)) + "]]\n"));
    for (const std::string name : {"failure", "error", "skipped"}) {
      const std::size_t at = xml.find("<" + name + " ");
      if (at != std::string::npos) return xml.substr(at, xml.find('>', at) - at + 1);
    }
    return std::string("passed");
  };
  const std::string message = " message=\"4 of 4 comparisons\"";
  for (const Outcome outcome : kAllOutcomes) {
    const std::string name(NameOf(outcome));
    std::string expected = "<failure" + message + " type=\"" + name + "\">";
    if (Passes(outcome)) expected = "passed";
    if (outcome == Outcome::kError) expected = "<error" + message + " type=\"ERROR\">";
    if (outcome == Outcome::kBlocked) expected = "<skipped" + message + "/>";
    EXPECT_EQ(element(outcome), expected);
  }
}

TEST(JUnit, CountersAreRightAtBothLevels) {
  std::vector<CaseResult> cases;
  for (const Outcome outcome : kAllOutcomes) {
    cases.push_back(Result(outcome, std::string("a_") + std::to_string(cases.size())));
  }
  cases.push_back(Whole(Outcome::kFail, "1"));
  const std::string xml =
      JUnitXml({Group("first", cases), Group("second", {Result(Outcome::kPass)})});
  EXPECT_THAT(xml, HasSubstr("<testsuites name=\"parity\" tests=\"11\" failures=\"5\" errors=\"1\" "
                             "time=\"2.750\">"));
  EXPECT_THAT(xml,
              HasSubstr("<testsuite name=\"spans.first.r1.paged_vs_fused/SpanParity\" tests=\"9\" "
                        "failures=\"4\" errors=\"1\" time=\"2.250\" skipped=\"1\""));
  EXPECT_THAT(xml,
              HasSubstr("<testsuite name=\"spans.first.r1.paged_vs_fused/EndToEnd\" tests=\"1\" "
                        "failures=\"1\" errors=\"0\" time=\"0.250\" skipped=\"0\""));
  EXPECT_THAT(xml, HasSubstr("<property name=\"manifest\" value=\"second\"/>"));
}

TEST(JUnit, HostileTextStaysWellFormed) {
  CaseResult result = Result(Outcome::kFail, "Matches/\"<&>'\x01\xff");
  result.verdict.summary = "]]> & \n\r\t \xed\xa0\x80 \xef\xbf\xbf";
  result.verdict.findings = {std::string("\0 nul", 5), "<failure>"};
  result.output_tail = "</system-out></testcase>";
  result.properties.emplace_back("a \"b\"", "<c>\n");
  const std::string xml = XmlOf({result});
  EXPECT_TRUE(IsWellFormed(xml)) << xml;
  EXPECT_TRUE(IsValidJUnit(xml));
  EXPECT_THAT(xml, HasSubstr("[[PROPERTY|a &quot;b&quot;=&lt;c&gt; ]]\n"));
}

TEST(JUnit, AnEmptyReportIsWellFormed) {
  for (const std::string& xml : {JUnitXml({}), XmlOf({})}) {
    EXPECT_TRUE(IsWellFormed(xml));
    EXPECT_TRUE(IsValidJUnit(xml));
  }
}

// One manifest in two groups: dashboards must not take a case of one for that of the other.
TEST(JUnit, CasesOfSeveralGroupsHaveNamesOfTheirOwn) {
  const std::vector<CaseResult> cases = {Result(Outcome::kPass)};
  const std::string xml =
      JUnitXml({Group("paged_vs_fused", cases, 1), Group("paged_vs_fused", cases, 2)});
  for (const char* ranks : {"r1", "r2"}) {
    EXPECT_THAT(xml, HasSubstr("classname=\"spans.paged_vs_fused." + std::string(ranks) +
                               ".paged_vs_fused/SpanParity\" name=\"Matches/decode_layer0\""));
  }
}

TEST(JUnit, ProblemsOfAGroupAreARedCase) {
  GroupResult group = Group("paged_vs_fused", {Result(Outcome::kPass)});
  group.problems = {"did not come to its end", "line 3 of cases.jsonl is unreadable"};
  const std::string xml = JUnitXml({group});
  EXPECT_TRUE(IsValidJUnit(xml));
  EXPECT_THAT(xml, AllOf(HasSubstr("tests=\"2\" failures=\"0\" errors=\"1\""),
                         HasSubstr("classname=\"spans.paged_vs_fused.r1\" name=\"IsComplete\""),
                         HasSubstr("<error message=\"did not come to its end\""),
                         HasSubstr("line 3 of cases.jsonl is unreadable")));
}

// What the schema must find, each from a report that it accepts.
TEST(JUnit, TheSchemaRefusesWhatJenkinsDoes) {
  const std::string good = XmlOf({Result(Outcome::kFail)});
  ASSERT_TRUE(IsValidJUnit(good));
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"<testcase ", "<testcase status=\"run\" "},
           {"<system-out>", "<properties/><system-out>"},
           {"<testsuites ", "<testsuites skipped=\"0\" "},
           {" tests=\"1\"", ""},
           {"<failure ", "<fail/><failure "},
           {"time=\"0.250\"", "time=\"2.5e-1\""}}) {
    std::string bad = good;
    ASSERT_NE(bad.rfind(from), std::string::npos) << from;
    bad.replace(bad.rfind(from), from.size(), to);
    EXPECT_FALSE(IsValidJUnit(bad)) << to;
  }
}

TEST(JUnit, TheCheckerRefusesWhatIsNotXml) {
  const std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  EXPECT_TRUE(IsWellFormed(head + "<a b=\"c\"><d/>x &amp; y</a>\n"));
  for (const char* bad : {"<a>", "<a></b>", "<a b=c/>", "<a/><b/>", "<a b=\"1\" b=\"2\"/>",
                          "<a>&nbsp;</a>", "<a>\x01</a>", "<a b=\"<\"/>", "x", "<a>&</a>"}) {
    EXPECT_FALSE(IsWellFormed(head + bad)) << bad;
  }
}

class CommaPoint : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(JUnit, NumbersDoNotDependOnTheLocale) {
  const std::vector<CaseResult> cases = {Whole(Outcome::kPass, "0.25")};
  const std::string plain = XmlOf(cases) + JsonLine(ToJson(cases[0]));
  const std::locale old = std::locale::global(std::locale(std::locale(), new CommaPoint));
  const std::string comma = XmlOf(cases) + JsonLine(ToJson(cases[0]));
  std::locale::global(old);
  EXPECT_EQ(plain, comma);
  EXPECT_THAT(plain, HasSubstr("time=\"0.250\""));
}

TEST(JUnit, IsWrittenWholeOrNotAtAll) {
  const TemporaryFolder folder;
  const std::vector<GroupResult> groups = {Group("paged_vs_fused", {Result(Outcome::kPass)})};
  WriteJUnit(folder / "junit.xml", groups);
  EXPECT_EQ(ReadFileIfThere(folder / "junit.xml"), JUnitXml(groups));
  EXPECT_THROW(WriteJUnit("/proc/self/junit.xml", groups), ReportError);
}

}  // namespace
}  // namespace parity
