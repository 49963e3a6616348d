// One damage for each rule, or more, and the rule that finds it.
#ifndef GTEST_PARITY_TESTS_WIRE_RULES_MUTATION_TABLE_H_
#define GTEST_PARITY_TESTS_WIRE_RULES_MUTATION_TABLE_H_

#include <ostream>
#include <string>
#include <vector>

#include "tests/wire/rules/mutation.h"

namespace parity::wire::testing {

struct Mutation {
  std::string name;      // of the test
  std::string exchange;  // of fixtures/good.jsonl
  Edit edit;
  std::string rule;
  bool mends_lengths = true;  // false: lengths are what it damages
};

inline std::ostream& operator<<(std::ostream& out, const Mutation& mutation) {
  return out << mutation.name;
}

std::vector<Mutation> Mutations();

// Parts of it.
std::vector<Mutation> OfMessages();
std::vector<Mutation> OfResponses();
std::vector<Mutation> OfSides();
std::vector<Mutation> OfPairs();

}  // namespace parity::wire::testing

#endif  // GTEST_PARITY_TESTS_WIRE_RULES_MUTATION_TABLE_H_
