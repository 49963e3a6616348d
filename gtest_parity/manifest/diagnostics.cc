#include "gtest_parity/manifest/diagnostics.h"

#include <algorithm>
#include <tuple>

namespace parity {
namespace {

std::string JoinLines(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += diagnostic.Text();
  }
  return text;
}

// Optimal string alignment distance.
std::size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      cost[i][j] = std::min(
          {cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string Diagnostic::Text() const {
  std::string text = file;
  if (at.line > 0) {
    text += ':';
    text += std::to_string(at.line);
    text += ':';
    text += std::to_string(at.column);
  }
  text += ": " + what;
  if (!got.empty()) text += ": got " + got;
  if (!expected.empty()) text += (got.empty() ? ": expected " : ", expected ") + expected;
  return text;
}

InvalidInput::InvalidInput(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(JoinLines(diagnostics)), diagnostics_(std::move(diagnostics)) {}

void Diagnostics::Append(const std::vector<Diagnostic>& more) {
  all_.insert(all_.end(), more.begin(), more.end());
}

void Diagnostics::ThrowIfAny() const {
  if (all_.empty()) return;
  std::vector<Diagnostic> sorted = all_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
    if (a.file != b.file) return false;
    return std::tie(a.at.line, a.at.column) < std::tie(b.at.line, b.at.column);
  });
  throw InvalidInput(std::move(sorted));
}

std::string NearestName(const std::string& name, const std::vector<std::string>& candidates) {
  std::string nearest;
  std::size_t fewest = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    // The difference in length is a lower bound, and names can be many.
    const std::size_t bound = candidate.size() > name.size() ? candidate.size() - name.size()
                                                             : name.size() - candidate.size();
    if (bound >= fewest) continue;
    const std::size_t distance = EditDistance(name, candidate);
    if (distance < fewest) {
      fewest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string ExpectedName(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string nearest = NearestName(name, candidates);
  if (!nearest.empty()) return Quoted(nearest);
  if (candidates.empty()) return "none: none is declared";
  constexpr std::size_t kShown = 12;
  std::string text = candidates.size() == 1 ? "" : "one of ";
  for (std::size_t i = 0; i < std::min(kShown, candidates.size()); ++i) {
    if (i > 0) text += ", ";
    text += candidates[i];
  }
  if (candidates.size() > kShown) {
    text += " and " + std::to_string(candidates.size() - kShown) + " more";
  }
  return text;
}

std::string IntervalText(std::uint64_t lo, std::uint64_t hi) {
  std::string text = "[";
  text += std::to_string(lo);
  text += ", ";
  text += std::to_string(hi);
  return text + ")";
}

std::string Quoted(const std::string& text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return '"' + text + '"';
  return '"' + text.substr(0, kLongest) + "...\"";
}

}  // namespace parity
