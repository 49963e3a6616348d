#include "gtest_parity/report/matrix.h"

#include <algorithm>

#include "gtest_parity/judge/number_text.h"
#include "gtest_parity/report/tally.h"

namespace parity {
namespace {

struct Cell {
  std::string text;
  bool right = false;
  const char* colour = "";
};

using Line = std::vector<Cell>;

constexpr const char* kGreen = "\x1b[32m";
constexpr const char* kYellow = "\x1b[33m";
constexpr const char* kRed = "\x1b[31m";
constexpr const char* kPlain = "\x1b[0m";

const char* ColourOf(Outcome outcome) {
  if (outcome == Outcome::kPass) return kGreen;
  return Passes(outcome) || outcome == Outcome::kBlocked ? kYellow : kRed;
}

// Code points; every one we print is one column wide.
std::size_t WidthOf(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string RatioText(const char* name, const Tally::Passed& passed) {
  return std::string(name) + " " + std::to_string(passed.passed) + "/" + std::to_string(passed.all);
}

std::string RepeatsText(const Tally& tally) {
  std::string text = RatioText("exact", tally.exact) + " · " + RatioText("hybrid", tally.hybrid);
  if (tally.unknown.all > 0) text += " · " + RatioText("unknown", tally.unknown);
  return text;
}

std::string ClassesText(const Tally& tally) {
  std::string text;
  for (const SpanClass span_class : kAllSpanClasses) {
    const auto found = tally.classes.find(span_class);
    if (found == tally.classes.end()) continue;
    if (!text.empty()) text += ", ";
    text += NameOf(span_class);
    text += ' ';
    text += std::to_string(found->second);
  }
  return text.empty() ? "-" : text;
}

std::vector<Outcome> ShownOutcomes(const Tally& total) {
  std::vector<Outcome> shown;
  for (const Outcome outcome : kAllOutcomes) {
    if (outcome == Outcome::kPass || total.Of(outcome) > 0) shown.push_back(outcome);
  }
  return shown;
}

// What the columns are: outcomes and, where there are any, cases that could be checked in part
// only.
struct Columns {
  std::vector<Outcome> outcomes;
  bool limited = false;
};

Line HeadLine(const Columns& shown) {
  Line line = {{"suite"}, {"manifest"}, {"ranks", true}, {"cases", true}};
  for (const Outcome outcome : shown.outcomes) {
    line.push_back({std::string(NameOf(outcome)), true});
  }
  if (shown.limited) line.push_back({"limited", true});
  line.push_back({"spans passed"});
  line.push_back({"worst KL", true});
  line.push_back({"classes"});
  return line;
}

void AppendTally(const Tally& tally, const Columns& shown, Line& line) {
  line.push_back({std::to_string(tally.cases), true});
  for (const Outcome outcome : shown.outcomes) {
    const std::uint64_t count = tally.Of(outcome);
    line.push_back(
        {count == 0 ? "-" : std::to_string(count), true, count == 0 ? "" : ColourOf(outcome)});
  }
  if (shown.limited) {
    line.push_back({tally.limited == 0 ? "-" : std::to_string(tally.limited), true});
  }
  line.push_back({RepeatsText(tally)});
  line.push_back({tally.worst_kl ? ShortText(*tally.worst_kl) : "-", true});
  line.push_back({ClassesText(tally)});
}

Line GroupLine(const GroupResult& group, const Columns& shown) {
  Line line = {{group.info ? group.info->suite : group.expected.name},
               {group.info ? group.info->manifest : "(no result)"},
               {group.info ? std::to_string(group.info->ranks) : "-", true}};
  AppendTally(Count(group.cases), shown, line);
  return line;
}

std::string Render(const std::vector<Line>& lines, bool colour) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], WidthOf(line[i].text));
    }
  }
  std::string text;
  for (const Line& line : lines) {
    std::string row;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const Cell& cell = line[i];
      const std::string pad(widths[i] - WidthOf(cell.text), ' ');
      const bool coloured = colour && *cell.colour != '\0';
      const std::string shown = coloured ? cell.colour + cell.text + kPlain : cell.text;
      row += (i == 0 ? "" : "  ") + (cell.right ? pad + shown : shown + pad);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

}  // namespace

std::string MatrixText(const std::vector<GroupResult>& groups, bool colour) {
  Tally total;
  for (const GroupResult& group : groups) {
    for (const CaseResult& result : group.cases) total.Add(result);
  }
  const Columns shown = {ShownOutcomes(total), total.limited > 0};
  std::vector<Line> lines = {HeadLine(shown)};
  for (const GroupResult& group : groups) lines.push_back(GroupLine(group, shown));
  Line last = {{"total"}, {""}, {"", true}};
  AppendTally(total, shown, last);
  lines.push_back(last);
  return Render(lines, colour);
}

}  // namespace parity
