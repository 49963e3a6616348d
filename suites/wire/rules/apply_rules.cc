#include "suites/wire/rules/apply_rules.h"

namespace parity::wire {
namespace {

bool IsFor(const Rule& rule, const AnswerView& answer) {
  return (rule.surfaces & Bit(answer.request->surface)) != 0;
}

void Keep(const Rule& rule, const Report& report, Applied* applied) {
  applied->looked[std::string(rule.id)] = report.looked();
  applied->findings.insert(applied->findings.end(), report.findings().begin(),
                           report.findings().end());
  applied->notes.insert(applied->notes.end(), report.notes().begin(), report.notes().end());
}

}  // namespace

Applied ApplyRules(const SideView& side, const RuleOptions& options, std::optional<Basis> only) {
  Applied applied;
  for (const Rule& rule : AllRules()) {
    if (rule.layer == Layer::kStrict && !options.strict) continue;
    if (only && rule.basis != *only) continue;
    Report report(std::string(rule.id), options);
    if (const auto* check = std::get_if<SideCheck>(&rule.check)) {
      (*check)(side, report);
    } else if (const auto* each = std::get_if<AnswerCheck>(&rule.check)) {
      for (const ExchangeView& view : side.exchanges()) {
        for (const AnswerView& answer : view.answers) {
          if (answer.response != nullptr && IsFor(rule, answer))
            (*each)({side, view, answer}, report);
        }
      }
    } else {
      continue;
    }
    Keep(rule, report, &applied);
  }
  return applied;
}

Applied ApplyPairRules(const SideView& reference, const SideView& candidate,
                       const RuleOptions& options) {
  Applied applied;
  for (const Rule& rule : AllRules()) {
    const auto* check = std::get_if<PairCheck>(&rule.check);
    if (check == nullptr || (rule.layer == Layer::kStrict && !options.strict)) continue;
    Report report(std::string(rule.id), options);
    for (const ExchangeView& theirs : reference.exchanges()) {
      const ExchangeView* mine = candidate.Find(theirs.name());
      if (mine != nullptr && IsFor(rule, theirs.answers[0])) (*check)(theirs, *mine, report);
    }
    Keep(rule, report, &applied);
  }
  return applied;
}

}  // namespace parity::wire
