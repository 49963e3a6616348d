#include "tests/selfproof/findings.h"

#include <regex>
#include <sstream>

namespace parity::testing {
namespace {

// The first group of every match, or the whole match where the pattern has no group.
std::set<std::string> Matches(const std::vector<std::string>& findings, const std::regex& pattern) {
  std::set<std::string> found;
  const std::size_t group = pattern.mark_count() > 0 ? 1 : 0;
  for (const std::string& finding : findings) {
    for (std::sregex_iterator at(finding.begin(), finding.end(), pattern), end; at != end; ++at) {
      found.insert((*at)[group]);
    }
  }
  return found;
}

}  // namespace

std::set<int> RanksNamed(const std::vector<std::string>& findings) {
  static const std::regex pattern("\\branks?((?: [0-9]+)+)");
  std::set<int> ranks;
  for (const std::string& numbers : Matches(findings, pattern)) {
    std::istringstream stream(numbers);
    for (int rank = 0; stream >> rank;) ranks.insert(rank);
  }
  return ranks;
}

std::set<std::string> RunsNamed(const std::vector<std::string>& findings) {
  static const std::regex pattern("b[0-9]+_[a-z_]+/[a-z]+#[0-9]+");
  return Matches(findings, pattern);
}

}  // namespace parity::testing
