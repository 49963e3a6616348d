#include "suites/wire/machines/automaton.h"

namespace parity::wire {
namespace {

bool Fits(std::string_view pattern, std::string_view name) {
  return pattern == "*" || pattern == name;
}

}  // namespace

Automaton::Automaton(const Machine& machine, MachineRun* run)
    : machine_(&machine), run_(run), state_(machine.start) {}

bool Automaton::Take(std::string_view symbol, std::size_t event) {
  if (broken_) return false;
  const std::string name(machine_->name);
  for (const Transition& row : machine_->transitions) {
    if (!Fits(row.from, state_) || row.symbol != symbol) continue;
    const std::string_view to = row.to == "*" ? state_ : row.to;
    run_->transitions.insert(name + ": " + std::string(state_) + " > " + std::string(symbol) +
                             " > " + std::string(to));
    state_ = to;
    run_->states.insert(name + "." + std::string(state_));
    return true;
  }
  broken_ = true;
  for (const Blame& row : machine_->blames) {
    if (!Fits(row.from, state_) || !Fits(row.symbol, symbol)) continue;
    run_->violations.push_back({std::string(row.rule), event,
                                std::string(symbol) + " after " + std::string(state_), Expected()});
    break;
  }
  return false;
}

std::string Automaton::Expected() const {
  std::string text;
  std::set<std::string_view> told;
  for (const Transition& row : machine_->transitions) {
    if (!Fits(row.from, state_) || !told.insert(row.symbol).second) continue;
    text += (text.empty() ? "" : ", ") + std::string(row.symbol);
  }
  return text.empty() ? "nothing more" : text;
}

}  // namespace parity::wire
