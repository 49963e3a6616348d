#include "gtest_parity/report/case_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "gtest_parity/report/error.h"
#include "tests/report/results.h"

namespace parity {
namespace {

using namespace parity::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using Json = nlohmann::ordered_json;

CaseResult Full() {
  CaseResult result = Span(Outcome::kFail, SpanClass::kDifferent, false);
  result.verdict.findings = {"first", "second \"quoted\" \x1b[31m"};
  SetProperty(result.verdict, "worst_ulp", "12");
  result.output_tail = "line\nline\n";
  return result;
}

CaseResult ReadBack(const CaseResult& result) {
  return CaseResultFromJson(Json::parse(JsonLine(ToJson(result))));
}

TEST(CaseResult, JsonIsReadBack) {
  const CaseResult read = ReadBack(Full());
  EXPECT_EQ(read.FullName(), "paged_vs_fused/SpanParity.Matches/decode_layer0");
  EXPECT_EQ(read.outcome, Outcome::kFail);
  EXPECT_EQ(read.verdict.span_class, SpanClass::kDifferent);
  EXPECT_EQ(read.verdict.exact, false);
  EXPECT_EQ(read.verdict.compared, 4u);
  EXPECT_EQ(read.verdict.findings, Full().verdict.findings);
  EXPECT_EQ(read.verdict.properties, Full().verdict.properties);
  EXPECT_EQ(read.properties, Full().properties);
  EXPECT_EQ(ToJson(read), ToJson(Full()));
}

TEST(CaseResult, EveryOutcomeAndClassIsReadBack) {
  for (const Outcome outcome : kAllOutcomes) {
    EXPECT_EQ(ReadBack(Result(outcome)).outcome, outcome);
  }
  for (const SpanClass span_class : kAllSpanClasses) {
    EXPECT_EQ(ReadBack(Span(Outcome::kPass, span_class, true)).verdict.span_class, span_class);
  }
  EXPECT_EQ(ReadBack(Result(Outcome::kPass)).verdict.span_class, std::nullopt);
  EXPECT_EQ(ReadBack(Result(Outcome::kPass)).verdict.exact, std::nullopt);
}

TEST(CaseResult, InfinityAndNanAreStrings) {
  CaseResult result = Full();
  result.seconds = std::numeric_limits<double>::infinity();
  EXPECT_EQ(ToJson(result)["seconds"], "inf");
  EXPECT_EQ(ReadBack(result).seconds, result.seconds);
  result.seconds = -result.seconds;
  EXPECT_EQ(ReadBack(result).seconds, result.seconds);
  result.seconds = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(ToJson(result)["seconds"], "nan");
  EXPECT_TRUE(std::isnan(ReadBack(result).seconds));
}

TEST(CaseResult, BytesThatAreNotUtf8DoNotStopTheReport) {
  CaseResult result = Full();
  result.output_tail = "broken \xff\xfe bytes";
  EXPECT_EQ(ReadBack(result).output_tail, "broken \xef\xbf\xbd\xef\xbf\xbd bytes");
}

TEST(CaseResult, ALineHasNoNewline) {
  EXPECT_EQ(JsonLine(ToJson(Full())).find('\n'), std::string::npos);
}

struct BadCase {
  const char* name;
  std::function<void(Json&)> change;
  const char* expected;
};

class BadJson : public ::testing::TestWithParam<BadCase> {};

TEST_P(BadJson, IsAnErrorThatNamesTheKey) {
  Json json = ToJson(Full());
  GetParam().change(json);
  EXPECT_THAT([&] { CaseResultFromJson(json); },
              ThrowsMessage<ReportError>(HasSubstr(GetParam().expected)));
}

INSTANTIATE_TEST_SUITE_P(
    Keys, BadJson,
    ::testing::Values(
        BadCase{"unknown_outcome", [](Json& j) { j["outcome"] = "PASSED"; },
                "key 'outcome': found \"PASSED\", expected one of PASS PASS* WAIVED FAIL"},
        BadCase{"unknown_class", [](Json& j) { j["verdict"]["class"] = "fine"; },
                "key 'class': found \"fine\""},
        BadCase{"missing", [](Json& j) { j.erase("suite"); }, "key 'suite' is missing"},
        BadCase{"type", [](Json& j) { j["test"] = 3; }, "key 'test': found 3, expected a string"},
        BadCase{"negative", [](Json& j) { j["verdict"]["compared"] = -1; }, "key 'compared'"},
        BadCase{"seconds", [](Json& j) { j["seconds"] = "soon"; }, "key 'seconds'"},
        BadCase{"exact", [](Json& j) { j["verdict"]["exact"] = 1; }, "key 'exact'"},
        BadCase{"findings", [](Json& j) { j["verdict"]["findings"] = {1}; }, "key 'findings'"},
        BadCase{"properties", [](Json& j) { j["properties"] = "x"; }, "key 'properties'"},
        BadCase{"property", [](Json& j) { j["properties"]["seed"] = 1; }, "key 'seed'"},
        BadCase{"no_object", [](Json& j) { j = Json::array(); }, "an object that holds it"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(CaseResult, PropertiesAreToldOnceAndInOrder) {
  CaseResult result = Full();
  SetProperty(result.verdict, "outcome", "PASS");  // the case's own outcome is what counts
  result.properties.emplace_back("worst_ulp", "999");
  const Properties expected = {{"outcome", "FAIL"},   {"class", "different"},
                               {"repeats", "hybrid"}, {"worst_ulp", "12"},
                               {"seed", "24301"},     {"repeat_command", result.repeat_command}};
  EXPECT_EQ(AllProperties(result), expected);
}

}  // namespace
}  // namespace parity
