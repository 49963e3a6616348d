#include "suites/wire/machines/automaton.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/wire/machines/run_machine.h"

namespace parity::wire {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Transition kRows[] = {
    {"a", "x", "b"}, {"b", "x", "b"}, {"b", "y", "c"}, {"*", "skip", "*"}};
constexpr Blame kBlames[] = {{"a", "y", "first"}, {"*", "y", "second"}, {"*", "*", "rest"}};
constexpr Machine kMachine = {"m", "a", kRows, kBlames};

TEST(Automaton, TakesWhatItsTableHas) {
  MachineRun run;
  Automaton automaton(kMachine, &run);
  for (const char* symbol : {"skip", "x", "skip", "x", "y"}) EXPECT_TRUE(automaton.Take(symbol, 0));
  EXPECT_EQ(automaton.state(), "c");
  EXPECT_THAT(run.violations, IsEmpty());
  EXPECT_THAT(run.states, ElementsAre("m.a", "m.b", "m.c"));
  EXPECT_THAT(run.transitions, ElementsAre("m: a > skip > a", "m: a > x > b", "m: b > skip > b",
                                           "m: b > x > b", "m: b > y > c"));
}

TEST(Automaton, TellsTheFirstRowThatFitsAndBreaksOff) {
  MachineRun run;
  Automaton automaton(kMachine, &run);
  EXPECT_FALSE(automaton.Take("y", 7));
  EXPECT_FALSE(automaton.Take("x", 8));
  EXPECT_TRUE(automaton.broken());
  ASSERT_EQ(run.violations.size(), 1u);
  EXPECT_EQ(run.violations[0].rule, "first");
  EXPECT_EQ(run.violations[0].event, 7u);
  EXPECT_EQ(run.violations[0].got, "y after a");
  EXPECT_EQ(run.violations[0].expected, "x, skip");
}

TEST(Automaton, TheLastRowFitsWhatNoOtherDoes) {
  MachineRun run;
  Automaton automaton(kMachine, &run);
  automaton.Take("x", 0);
  automaton.Take("y", 1);
  automaton.Take("x", 2);
  EXPECT_EQ(run.violations.at(0).rule, "rest");
  EXPECT_EQ(run.violations[0].expected, "skip");
}

// Tables are data: a row that can never be used, or a state that no row reaches, is a slip.
TEST(Machines, TablesHaveNoDeadRows) {
  for (const Machine* machine : AllMachines()) {
    SCOPED_TRACE(machine->name);
    std::set<std::string_view> reached = {machine->start};
    for (std::size_t i = 0; i < machine->transitions.size(); ++i) {
      for (const Transition& row : machine->transitions) {
        if (row.from == "*" || reached.contains(row.from)) reached.insert(row.to);
      }
    }
    std::set<std::pair<std::string_view, std::string_view>> pairs;
    std::set<std::string_view> symbols;
    for (const Transition& row : machine->transitions) {
      EXPECT_TRUE(row.from == "*" || reached.contains(row.from)) << row.from;
      EXPECT_TRUE(pairs.emplace(row.from, row.symbol).second) << row.from << " " << row.symbol;
      symbols.insert(row.symbol);
    }
    EXPECT_EQ(machine->blames.back().from, "*");
    EXPECT_EQ(machine->blames.back().symbol, "*");
    for (std::size_t i = 0; i < machine->blames.size(); ++i) {
      const Blame& row = machine->blames[i];
      EXPECT_TRUE(row.from == "*" || reached.contains(row.from)) << row.from;
      for (std::size_t before = 0; before < i; ++before) {
        const Blame& other = machine->blames[before];
        EXPECT_FALSE((other.from == "*" || other.from == row.from) &&
                     (other.symbol == "*" || other.symbol == row.symbol))
            << row.from << " " << row.symbol << " is never asked";
      }
    }
  }
}

}  // namespace
}  // namespace parity::wire
