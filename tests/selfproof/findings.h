// What findings name.
#ifndef GTEST_PARITY_TESTS_SELFPROOF_FINDINGS_H_
#define GTEST_PARITY_TESTS_SELFPROOF_FINDINGS_H_

#include <set>
#include <string>
#include <vector>

namespace parity::testing {

// Every rank: "rank 1", "ranks 0 1".
std::set<int> RanksNamed(const std::vector<std::string>& findings);

// Every run: "b3_page_edge/decode#9".
std::set<std::string> RunsNamed(const std::vector<std::string>& findings);

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_SELFPROOF_FINDINGS_H_
