// What each check examines of a cell.
#ifndef GTEST_PARITY_SUITES_KV_EXAMINE_H_
#define GTEST_PARITY_SUITES_KV_EXAMINE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "suites/kv/cell.h"

namespace parity::kv {

Checked ExamineRecord(const Cell& cell, const Rules& rules);
Checked ExamineAccepted(const Cell& cell);
Checked ExamineReuse(const Cell& cell);
Checked ExamineContinuation(const Cell& cell, const Rules& rules);
Checked ExamineFiles(const Cell& cell);

// "a, b"; of none "none".
std::string ListOf(const std::vector<std::string>& names);

// "cached: got 0, expected 48"
std::string Got(const std::string& what, const std::string& got, const std::string& expected);
std::string Got(const std::string& what, std::uint64_t got, std::uint64_t expected);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_EXAMINE_H_
