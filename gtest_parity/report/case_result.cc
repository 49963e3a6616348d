#include "gtest_parity/report/case_result.h"

#include <cmath>
#include <limits>

#include "gtest_parity/judge/number_text.h"
#include "gtest_parity/report/error.h"

namespace parity {
namespace {

using Json = nlohmann::ordered_json;

Json NumberJson(double value) {
  if (std::isfinite(value)) return value;
  return NumberText(value);
}

[[noreturn]] void Unexpected(const std::string& key, const Json& found,
                             const std::string& expected) {
  throw ReportError("key '" + key + "': found " + JsonLine(found) + ", expected " + expected);
}

const Json& At(const Json& json, const std::string& key) {
  if (!json.is_object()) Unexpected(key, json, "an object that holds it");
  const auto found = json.find(key);
  if (found == json.end()) throw ReportError("key '" + key + "' is missing");
  return *found;
}

std::string TextAt(const Json& json, const std::string& key) {
  const Json& value = At(json, key);
  if (!value.is_string()) Unexpected(key, value, "a string");
  return value.get<std::string>();
}

std::uint64_t CountAt(const Json& json, const std::string& key) {
  const Json& value = At(json, key);
  if (!value.is_number_unsigned()) Unexpected(key, value, "a whole number from 0");
  return value.get<std::uint64_t>();
}

double NumberAt(const Json& json, const std::string& key) {
  const Json& value = At(json, key);
  if (value.is_number()) return value.get<double>();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  Unexpected(key, value, "a number, \"inf\", \"-inf\" or \"nan\"");
}

Outcome OutcomeAt(const Json& json, const std::string& key) {
  const std::string name = TextAt(json, key);
  if (const auto outcome = ParseOutcome(name)) return *outcome;
  std::string known;
  for (const Outcome outcome : kAllOutcomes) known.append(" ").append(NameOf(outcome));
  Unexpected(key, name, "one of" + known);
}

Json PropertiesJson(const Properties& properties) {
  Json json = Json::object();
  for (const auto& [key, value] : properties) json[key] = value;
  return json;
}

Properties PropertiesAt(const Json& json, const std::string& key) {
  const Json& object = At(json, key);
  if (!object.is_object()) Unexpected(key, object, "an object of strings");
  Properties properties;
  for (const auto& [name, value] : object.items()) {
    properties.emplace_back(name, TextAt(object, name));
  }
  return properties;
}

Json VerdictJson(const Verdict& verdict) {
  Json json;
  json["outcome"] = NameOf(verdict.outcome);
  if (verdict.span_class) json["class"] = NameOf(*verdict.span_class);
  if (verdict.exact) json["exact"] = *verdict.exact;
  json["expected"] = verdict.expected;
  json["compared"] = verdict.compared;
  json["summary"] = verdict.summary;
  json["findings"] = verdict.findings;
  json["properties"] = PropertiesJson(verdict.properties);
  return json;
}

Verdict VerdictAt(const Json& parent, const std::string& key) {
  const Json& json = At(parent, key);
  Verdict verdict;
  verdict.outcome = OutcomeAt(json, "outcome");
  if (json.contains("class")) {
    const std::string name = TextAt(json, "class");
    verdict.span_class = ParseSpanClass(name);
    if (!verdict.span_class) Unexpected("class", name, "a class of docs/design.md, section 8");
  }
  if (json.contains("exact")) {
    if (!json["exact"].is_boolean()) Unexpected("exact", json["exact"], "true or false");
    verdict.exact = json["exact"].get<bool>();
  }
  verdict.expected = CountAt(json, "expected");
  verdict.compared = CountAt(json, "compared");
  verdict.summary = TextAt(json, "summary");
  const Json& findings = At(json, "findings");
  if (!findings.is_array()) Unexpected("findings", findings, "an array of strings");
  for (const Json& finding : findings) {
    if (!finding.is_string()) Unexpected("findings", finding, "strings");
    verdict.findings.push_back(finding.get<std::string>());
  }
  verdict.properties = PropertiesAt(json, "properties");
  return verdict;
}

}  // namespace

Properties AllProperties(const CaseResult& result) {
  Verdict all;  // only for its list of properties
  SetProperty(all, "outcome", std::string(NameOf(result.outcome)));
  if (result.verdict.span_class) {
    SetProperty(all, "class", std::string(NameOf(*result.verdict.span_class)));
  }
  if (result.verdict.exact) SetProperty(all, "repeats", *result.verdict.exact ? "exact" : "hybrid");
  for (const auto& [key, value] : result.verdict.properties) {
    if (FindProperty(all, key) == nullptr) SetProperty(all, key, value);
  }
  for (const auto& [key, value] : result.properties) {
    if (FindProperty(all, key) == nullptr) SetProperty(all, key, value);
  }
  if (!result.repeat_command.empty()) SetProperty(all, "repeat_command", result.repeat_command);
  return all.properties;
}

Json ToJson(const CaseResult& result) {
  Json json;
  json["suite"] = result.suite;
  json["test"] = result.test;
  json["outcome"] = NameOf(result.outcome);
  json["verdict"] = VerdictJson(result.verdict);
  json["seconds"] = NumberJson(result.seconds);
  json["started"] = result.started;
  json["repeat_command"] = result.repeat_command;
  json["properties"] = PropertiesJson(result.properties);
  json["output_tail"] = result.output_tail;
  return json;
}

CaseResult CaseResultFromJson(const Json& json) {
  CaseResult result;
  result.suite = TextAt(json, "suite");
  result.test = TextAt(json, "test");
  result.outcome = OutcomeAt(json, "outcome");
  result.verdict = VerdictAt(json, "verdict");
  result.seconds = NumberAt(json, "seconds");
  result.started = TextAt(json, "started");
  result.repeat_command = TextAt(json, "repeat_command");
  result.properties = PropertiesAt(json, "properties");
  result.output_tail = TextAt(json, "output_tail");
  return result;
}

std::string JsonLine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace parity
