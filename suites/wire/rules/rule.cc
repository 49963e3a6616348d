#include "suites/wire/rules/rule.h"

#include <array>

namespace parity::wire {

namespace {

// What servers sent may hold ends of lines; a finding is one line.
std::string OnOneLine(const std::string& text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\r') {
      line += "\\r";
    } else {
      line += c;
    }
  }
  return line;
}

}  // namespace

std::string TextOf(const Finding& finding) {
  std::string text = finding.exchange + ": " + finding.rule + ": ";
  if (!finding.where.empty()) text += finding.where + ": ";
  return OnOneLine(text + "got " + finding.got + ", expected " + finding.expected);
}

std::string TextOf(const Note& note) {
  return OnOneLine(note.exchange + ": " + note.rule + ": nothing to look at, see " + note.cause);
}

void Report::Expect(bool holds, const std::string& exchange, std::string where, std::string got,
                    std::string expected) {
  Look();
  if (!holds) Add(exchange, std::move(where), std::move(got), std::move(expected));
}

std::vector<Rule> AllRules() {
  std::vector<Rule> all;
  for (const auto rules : {HttpRules(), SseRules(), ChunkRules(), MessagesRules(), ResponsesRules(),
                           TextRules(), TwinRules(), UsageRules(), ErrorRules(), ProbeRules(),
                           SideRules(), MetricsRules(), SchemaRules(), PairRules()}) {
    all.insert(all.end(), rules.begin(), rules.end());
  }
  return all;
}

const Rule* FindRule(std::string_view id) {
  static const std::vector<Rule> all = AllRules();
  for (const Rule& rule : all) {
    if (rule.id == id) return &rule;
  }
  return nullptr;
}

std::string_view NameOf(Layer layer) {
  constexpr std::array<std::string_view, 3> kNames = {"core", "profile", "strict"};
  return kNames[static_cast<std::size_t>(layer)];
}

void CheckMachine(const Subject& subject, Report& report) {
  if (!subject.answer.is_stream) return;
  report.Look();
  for (const Violation& violation : subject.answer.run.violations) {
    if (violation.rule != report.rule()) continue;
    report.Add(subject.name(), "event " + std::to_string(violation.event), violation.got,
               violation.expected);
  }
}

}  // namespace parity::wire
