#include "gtest_parity/engines/llama_cpp/nearest.h"

#include <algorithm>
#include <numeric>

namespace parity::llama_cpp {
namespace {

// Levenshtein's distance.
std::size_t Edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> Nearest(const std::string& name, std::vector<std::string> known,
                                 std::size_t count) {
  std::stable_sort(known.begin(), known.end(), [&](const std::string& a, const std::string& b) {
    return Edits(name, a) < Edits(name, b);
  });
  known.resize(std::min(known.size(), count));
  return known;
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace parity::llama_cpp
