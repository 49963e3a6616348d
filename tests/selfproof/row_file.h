// What a run came to, kept for the table that is printed when all runs have ended.
#ifndef GTEST_PARITY_TESTS_SELFPROOF_ROW_FILE_H_
#define GTEST_PARITY_TESTS_SELFPROOF_ROW_FILE_H_

#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/report/case_result.h"

namespace parity::testing {

struct RowCell {
  std::string span_class, outcome;  // of the spans in question, prefill before decode
  std::string kl;                   // largest over programs, two digits, nats
  std::string red;                  // "4 of 131"
};

// Of the spans whose slugs are `spans`, and of all `cases`.
RowCell CellOf(const std::vector<CaseResult>& cases, const std::vector<std::string>& spans);

// Forgets what an earlier run left.
void RemoveCell(const std::string& row, const std::string& column);
void WriteCell(const std::string& row, const std::string& column, const RowCell& cell);
// Nothing if that run did not come to its end.
std::optional<RowCell> ReadCell(const std::string& row, const std::string& column);

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_SELFPROOF_ROW_FILE_H_
