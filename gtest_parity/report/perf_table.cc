#include "gtest_parity/report/perf_table.h"

#include <algorithm>

namespace parity {
namespace {

using Line = std::vector<std::string>;

constexpr char kLegend[] =
    "Eager times in two processes, minutes apart: noisy, and part of no verdict. us: the sum over\n"
    "runs of the median of a run's repeats, on the slowest rank (r); +-: (largest - smallest) /\n"
    "median of a run's repeats, 0 where there is one; n: samples; ratio: candidate / reference;\n"
    "GB/s: declared bytes, read and written once each (a gather counts its whole table), of those "
    "of\n"
    "a copy on that rank.\n";

std::string At(const CaseResult& result, const std::string& key) {
  const std::string* value = FindProperty(result.verdict, "perf." + key);
  return value == nullptr ? "-" : *value;
}

// "12.3 / 20.1": achieved, and what a copy reaches.
std::string RateText(const CaseResult& result, const std::string& side) {
  return At(result, side + "_gb_per_s") + " of " + At(result, side + "_copy_gb_per_s");
}

Line LineOf(const CaseResult& result) {
  const std::string fixture = result.suite.substr(result.suite.rfind('/') + 1);
  Line line = {fixture + "/" + result.test.substr(result.test.rfind('/') + 1), At(result, "runs")};
  for (const std::string side : {"reference", "candidate"}) {
    line.push_back(At(result, side + "_us"));
    line.push_back(At(result, side + "_spread"));
    line.push_back(At(result, side + "_samples"));
    line.push_back(At(result, side + "_rank"));
  }
  line.push_back(At(result, "ratio"));
  line.push_back(RateText(result, "reference"));
  line.push_back(RateText(result, "candidate"));
  return line;
}

std::string Render(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string pad(widths[i] - line[i].size(), ' ');
      text += (i == 0 ? "" : "  ") + (i == 0 ? line[i] + pad : pad + line[i]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string PerfText(const std::vector<GroupResult>& groups) {
  std::string text = kLegend;
  for (const GroupResult& group : groups) {
    std::vector<Line> lines = {{"case", "runs", "reference us", "+-", "n", "r", "candidate us",
                                "+-", "n", "r", "ratio", "reference GB/s", "candidate GB/s"}};
    for (const CaseResult& result : group.cases) {
      if (FindProperty(result.verdict, "perf.runs") != nullptr) lines.push_back(LineOf(result));
    }
    text += "\n" + group.expected.name + "\n";
    text += lines.size() == 1 ? "no case has times of both sides\n" : Render(lines);
  }
  return text;
}

}  // namespace parity
