#include "gtest_parity/report/junit.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gtest_parity/judge/number_text.h"
#include "gtest_parity/report/files.h"
#include "gtest_parity/report/xml_text.h"

namespace parity {
namespace {

enum class Kind { kPassed, kFailure, kError, kSkipped };

Kind KindOf(Outcome outcome) {
  if (Passes(outcome)) return Kind::kPassed;
  if (outcome == Outcome::kError) return Kind::kError;
  return outcome == Outcome::kBlocked ? Kind::kSkipped : Kind::kFailure;
}

struct Counters {
  std::uint64_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
  void Add(const CaseResult& result) {
    const Kind kind = KindOf(result.outcome);
    ++tests;
    failures += kind == Kind::kFailure;
    errors += kind == Kind::kError;
    skipped += kind == Kind::kSkipped;
    if (std::isfinite(result.seconds)) seconds += result.seconds;
  }
};

struct Suite {
  const GroupResult* group = nullptr;
  std::string name;
  std::vector<const CaseResult*> cases;
};

std::string Attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + XmlAttributeText(value) + "\"";
}

std::string SecondsText(double seconds) {
  return FixedText(std::isfinite(seconds) ? seconds : 0, 3);
}

std::string CounterAttributes(const Counters& counters) {
  return Attribute("tests", std::to_string(counters.tests)) +
         Attribute("failures", std::to_string(counters.failures)) +
         Attribute("errors", std::to_string(counters.errors)) +
         Attribute("time", SecondsText(counters.seconds));
}

std::string PropertiesXml(const Properties& properties, const std::string& indent) {
  if (properties.empty()) return "";
  std::string xml = indent + "<properties>\n";
  for (const auto& [name, value] : properties) {
    xml += indent + "  <property" + Attribute("name", name) + Attribute("value", value) + "/>\n";
  }
  return xml + indent + "</properties>\n";
}

std::string PropertyLines(const Properties& properties) {
  std::string lines;
  for (auto [name, value] : properties) {
    std::replace(value.begin(), value.end(), '\n', ' ');
    lines += "[[PROPERTY|" + name + "=" + value + "]]\n";
  }
  return lines;
}

std::string Details(const CaseResult& result) {
  std::string text;
  for (const std::string& finding : result.verdict.findings) text += finding + "\n";
  if (!result.repeat_command.empty()) text += "repeat: " + result.repeat_command + "\n";
  return text;
}

std::string OutcomeXml(const CaseResult& result) {
  const Kind kind = KindOf(result.outcome);
  if (kind == Kind::kPassed) return "";
  const std::string message = Attribute("message", result.verdict.summary);
  if (kind == Kind::kSkipped) return "      <skipped" + message + "/>\n";
  const std::string element = kind == Kind::kError ? "error" : "failure";
  return "      <" + element + message + Attribute("type", std::string(NameOf(result.outcome))) +
         ">" + XmlContentText(Details(result)) + "</" + element + ">\n";
}

std::string CaseXml(const CaseResult& result, const std::string& class_name) {
  const std::string output = PropertyLines(AllProperties(result)) + result.output_tail;
  return "    <testcase" + Attribute("classname", class_name) + Attribute("name", result.test) +
         Attribute("time", SecondsText(result.seconds)) + ">\n" + OutcomeXml(result) +
         "      <system-out>" + XmlContentText(output) + "</system-out>\n    </testcase>\n";
}

Properties GroupProperties(const GroupResult& group) {
  Properties properties = {{"group", group.expected.name}};
  if (!group.info) return properties;
  properties.emplace_back("suite", group.info->suite);
  properties.emplace_back("manifest", group.info->manifest);
  properties.emplace_back("ranks", std::to_string(group.info->ranks));
  properties.emplace_back("seed", std::to_string(group.info->seed));
  return properties;
}

std::string SuiteXml(const Suite& suite) {
  Counters counters;
  std::string timestamp;
  for (const CaseResult* result : suite.cases) {
    counters.Add(*result);
    const std::string& started = result->started;
    if (!started.empty() && (timestamp.empty() || started < timestamp)) timestamp = started;
  }
  std::string xml = "  <testsuite" + Attribute("name", suite.name) + CounterAttributes(counters) +
                    Attribute("skipped", std::to_string(counters.skipped));
  if (!timestamp.empty()) xml += Attribute("timestamp", timestamp);
  xml += ">\n" + PropertiesXml(GroupProperties(*suite.group), "    ");
  for (const CaseResult* result : suite.cases) xml += CaseXml(*result, suite.name);
  return xml + "  </testsuite>\n";
}

std::vector<Suite> SuitesOf(const std::vector<GroupResult>& groups) {
  std::vector<Suite> suites;
  for (const GroupResult& group : groups) {
    for (const CaseResult& result : group.cases) {
      std::string name = group.expected.name;
      if (!result.suite.empty()) name += "." + result.suite;
      auto at = std::find_if(suites.begin(), suites.end(), [&](const Suite& suite) {
        return suite.group == &group && suite.name == name;
      });
      if (at == suites.end()) at = suites.insert(suites.end(), Suite{&group, name, {}});
      at->cases.push_back(&result);
    }
  }
  return suites;
}

// Problems of a group that no case tells, such as a report cut short, as a case that is red.
GroupResult WithProblemsAsCase(GroupResult group) {
  if (group.problems.empty()) return group;
  CaseResult whole;
  whole.test = "IsComplete";
  whole.outcome = whole.verdict.outcome = Outcome::kError;
  whole.verdict.summary = group.problems.front();
  whole.verdict.findings = group.problems;
  group.cases.push_back(std::move(whole));
  return group;
}

}  // namespace

std::string JUnitXml(const std::vector<GroupResult>& results) {
  std::vector<GroupResult> groups;
  for (const GroupResult& group : results) groups.push_back(WithProblemsAsCase(group));
  Counters counters;
  for (const GroupResult& group : groups) {
    for (const CaseResult& result : group.cases) counters.Add(result);
  }
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
                    Attribute("name", "parity") + CounterAttributes(counters) + ">\n";
  for (const Suite& suite : SuitesOf(groups)) xml += SuiteXml(suite);
  return xml + "</testsuites>\n";
}

void WriteJUnit(const std::string& path, const std::vector<GroupResult>& groups) {
  WriteFileAtomically(path, JUnitXml(groups));
}

}  // namespace parity
