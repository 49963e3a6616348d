// Machines as tables: what may come in each state, and whose rule is broken by what may not.
#ifndef GTEST_PARITY_SUITES_WIRE_MACHINES_AUTOMATON_H_
#define GTEST_PARITY_SUITES_WIRE_MACHINES_AUTOMATON_H_

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parity::wire {

struct Transition {
  std::string_view from, symbol, to;
};

// Of a symbol that has no transition: the first row that fits tells the rule. "*" fits any.
struct Blame {
  std::string_view from, symbol, rule;
};

struct Machine {
  std::string_view name, start;
  std::span<const Transition> transitions;
  std::span<const Blame> blames;  // the last row fits anything
};

struct Violation {
  std::string rule;
  std::size_t event = 0;  // index among the stream's events; their number stands for its end
  std::string got, expected;
};

// What a stream did in its machines.
struct MachineRun {
  std::vector<Violation> violations;
  std::set<std::string> states;       // "chat.finished": the class of the path
  std::set<std::string> transitions;  // "chat: role > finish > finished"
  // Of the violation of a stream that never came out of its first state; empty: it did.
  std::string no_beginning;
};

// One machine at work. Where it breaks off it tells once; what comes after has no state to be in.
class Automaton {
 public:
  Automaton(const Machine& machine, MachineRun* run);

  // False where it breaks off here, or did before.
  bool Take(std::string_view symbol, std::size_t event);
  std::string_view state() const { return state_; }
  bool broken() const { return broken_; }
  bool begun() const { return state_ != machine_->start; }

 private:
  std::string Expected() const;

  const Machine* machine_;
  MachineRun* run_;
  std::string_view state_;
  bool broken_ = false;
};

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_MACHINES_AUTOMATON_H_
