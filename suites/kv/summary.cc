#include "suites/kv/summary.h"

#include <algorithm>
#include <cstdint>

namespace parity::kv {
namespace {

using Line = std::vector<std::string>;

// Columns two spaces apart, none behind the last one.
std::string TableText(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths;
  for (const Line& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      text += line[i];
      if (i + 1 < line.size()) text += std::string(widths[i] - line[i].size() + 2, ' ');
    }
    text += '\n';
  }
  return text;
}

struct DamageCounts {
  std::uint64_t records = 0, refused = 0, missed = 0, unharmed = 0, risks = 0, apart = 0;

  void Add(const Damaged& damaged) {
    ++records;
    if (!damaged.reference || damaged.reference != damaged.candidate ||
        !damaged.reference->death.empty()) {
      ++apart;
    } else if (!damaged.reference->refusals.empty()) {
      ++refused;
    } else if (damaged.reference->cached == 0) {
      ++missed;
    } else {
      ++(damaged.reference->as_cold ? unharmed : risks);
    }
  }

  Line LineOf(const std::string& lane, const std::string& group) const {
    Line line = {lane, group};
    for (const std::uint64_t count : {records, refused, missed, unharmed, risks, apart}) {
      line.push_back(std::to_string(count));
    }
    return line;
  }
};

std::vector<Line> LaneLines(const std::vector<LaneRow>& lanes) {
  std::vector<Line> lines = {{"lane"}};
  for (const CellKey& key : kAllCells) lines[0].push_back(key.Text());
  for (const LaneRow& row : lanes) {
    Line& line = lines.emplace_back(Line{row.lane});
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const std::string text = CellText(row.cells[i]);
      line.push_back(row.declined[i] && text == "PASS" ? "PASS, refused" : text);
    }
  }
  return lines;
}

std::vector<Line> DamageLines(const std::vector<DamageRow>& damages) {
  std::vector<Line> lines = {
      {"damaged", "in", "records", "refused", "missed", "unharmed", "shared risk", "apart"}};
  DamageCounts total;
  for (const DamageRow& row : damages) {
    for (const std::string_view group : kDamageGroups) {
      DamageCounts counts;
      for (const Damaged& damaged : *row.all) {
        if (damaged.harm.Group() != group) continue;
        counts.Add(damaged);
        total.Add(damaged);
      }
      if (counts.records != 0) lines.push_back(counts.LineOf(row.lane, std::string(group)));
    }
  }
  lines.push_back(total.LineOf("total", ""));
  return lines;
}

}  // namespace

std::string CellText(const CellOutcomes& checks) {
  const auto other =
      std::find_if(checks.begin(), checks.end(), [](Outcome outcome) { return !Passes(outcome); });
  if (other == checks.end()) {
    const auto starred = std::find_if(checks.begin(), checks.end(),
                                      [](Outcome outcome) { return outcome != Outcome::kPass; });
    return std::string(NameOf(starred == checks.end() ? Outcome::kPass : *starred));
  }
  std::string names;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    if (checks[i] != *other) continue;
    names += (names.empty() ? " " : ", ") + std::string(NameOf(kAllChecks[i]));
  }
  return std::string(NameOf(*other)) + names;
}

std::string SummaryText(const std::string& name, const std::vector<LaneRow>& lanes,
                        const std::vector<DamageRow>& damages,
                        const std::vector<StoreRow>& stores) {
  std::string text = name + ": saver to loader\n";
  if (!lanes.empty()) text += "\n" + TableText(LaneLines(lanes));
  if (!damages.empty()) text += "\n" + TableText(DamageLines(damages));
  if (stores.empty()) return text;
  std::vector<Line> lines = {{"store", "outcome", "what came of it"}};
  for (const StoreRow& row : stores) {
    lines.push_back({row.oracle, std::string(NameOf(row.outcome)), row.summary});
  }
  return text + "\n" + TableText(lines);
}

}  // namespace parity::kv
