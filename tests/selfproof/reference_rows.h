// References that do not repeat themselves bit for bit, and what that must not excuse: the data
// that noisy_reference_test.cc runs.
#ifndef GTEST_PARITY_TESTS_SELFPROOF_REFERENCE_ROWS_H_
#define GTEST_PARITY_TESTS_SELFPROOF_REFERENCE_ROWS_H_

#include <ostream>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "gtest_parity/judge/outcome.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {

struct ReferenceRow {
  std::string name;  // in the table
  std::string test;  // name of the test
  SuiteArguments arguments;
  std::vector<std::string> spans;  // slugs of those that the row is about
  SpanClass span_class;
  Outcome outcome;
  bool exact;                     // whether the reference repeats them bit for bit
  std::set<int> ranks;            // that their findings name
  std::vector<std::string> runs;  // every run that those findings name begins with one of these
  std::set<std::string> red;      // every case that is not green
};

void PrintTo(const ReferenceRow& row, std::ostream* out);

std::span<const ReferenceRow> ReferenceRows();

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_SELFPROOF_REFERENCE_ROWS_H_
