#include "gtest_parity/report/blocked.h"

#include <vector>

#include "gtest_parity/report/error.h"

namespace parity {
namespace {

std::string Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(kBlank) - begin + 1));
}

// Parts that are not blank, trimmed.
std::vector<std::string> Split(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(separators);
    std::string part = Trimmed(text.substr(0, end));
    if (!part.empty()) parts.push_back(std::move(part));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return parts;
}

}  // namespace

std::string NeedOf(const CaseResult& result) {
  for (const auto& [key, value] : result.properties) {
    if (key == "needs") return value;
  }
  const std::string* need = FindProperty(result.verdict, "needs");
  return need == nullptr ? "" : *need;
}

AllowedBlocked AllowedBlocked::Parse(std::string_view text) {
  AllowedBlocked allowed;
  for (const std::string& entry : Split(text, ";\n")) {
    const std::size_t equals = entry.find('=');
    const std::string name = Trimmed(std::string_view(entry).substr(0, equals));
    const std::string reason =
        equals == std::string::npos ? "" : Trimmed(std::string_view(entry).substr(equals + 1));
    if (name.empty() || reason.empty()) {
      throw ReportError("PARITY_ALLOW_BLOCKED: found '" + entry + "', expected name=reason");
    }
    allowed.reasons_[name] = reason;
  }
  return allowed;
}

std::optional<std::string> AllowedBlocked::ReasonFor(const std::string& group,
                                                     const CaseResult& result) const {
  for (const std::string& name : {result.FullName(), group, NeedOf(result)}) {
    const auto found = reasons_.find(name);
    if (found != reasons_.end()) return found->second;
  }
  return std::nullopt;
}

std::set<std::string> ParseRequired(std::string_view text) {
  const std::vector<std::string> names = Split(text, ",;\n");
  return {names.begin(), names.end()};
}

Outcome RequiredOutcome(const CaseResult& result, const std::set<std::string>& required) {
  const bool demanded = result.outcome == Outcome::kBlocked && required.count(NeedOf(result)) > 0;
  return demanded ? Outcome::kFail : result.outcome;
}

}  // namespace parity
