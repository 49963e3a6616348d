// The table of wrong engines as run, printed and compared with the one that is checked in.
#include <gtest/gtest.h>

#include <cstdio>

#include "gtest_parity/report/files.h"
#include "tests/golden_file.h"
#include "tests/selfproof/detection_rows.h"
#include "tests/selfproof/mutant_rows.h"
#include "tests/selfproof/reference_rows.h"
#include "tests/selfproof/row_file.h"

namespace parity::testing {
namespace {

using Line = std::vector<std::string>;

RowCell CellOrDashes(const std::string& row, const std::string& column) {
  const std::optional<RowCell> cell = ReadCell(row, column);
  EXPECT_TRUE(cell) << row << " was not run to its end in " << column;
  return cell.value_or(RowCell{"-", "-", "-", "-"});
}

std::string Rendered(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const Line& line : lines) {
    std::string row;
    for (std::size_t i = 0; i < line.size(); ++i) {
      row += line[i] + std::string(widths[i] - line[i].size() + 2, ' ');
    }
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string CandidateTable() {
  std::vector<Line> lines = {
      {"mutant", "class", "exact", "red", "end_to_end", "red", "fused", "red", "worst KL"}};
  for (const MutantRow& row : MutantRows()) {
    Line line = {row.name};
    for (const Mode mode : {Mode::kExact, Mode::kEndToEnd, Mode::kFused}) {
      const RowCell cell = CellOrDashes(row.name, NameOf(mode));
      if (mode == Mode::kExact) line.push_back(cell.span_class);
      line.push_back(cell.outcome);
      line.push_back(cell.red);
      if (mode == Mode::kFused) line.push_back(CellOrDashes(row.name, "exact").kl);
    }
    lines.push_back(line);
  }
  return Rendered(lines);
}

std::string ReferenceTable() {
  std::vector<Line> lines = {{"reference, candidate", "class", "exact", "red"}};
  const auto add = [&](const std::string& name, const std::string& file) {
    const RowCell cell = CellOrDashes(file, "exact");
    lines.push_back({name, cell.span_class, cell.outcome, cell.red});
  };
  add("noisy, itself", "NoisySelf");
  for (const ReferenceRow& row : ReferenceRows()) add(row.name, row.test);
  return Rendered(lines);
}

std::string DetectionTable() {
  std::vector<Line> lines = {{"fault", "dtype"}};
  for (const Instrument& instrument : Instruments()) lines[0].push_back(instrument.name);
  for (const SizedFault& fault : SizedFaults()) {
    Line line = {fault.name, fault.dtype};
    const std::optional<std::vector<std::string>> cells = ReadDetection(fault);
    EXPECT_TRUE(cells) << fault.name << " in " << fault.dtype << " was not run to its end";
    const Line none(Instruments().size(), "-");
    for (const std::string& cell : cells.value_or(none)) line.push_back(cell);
    lines.push_back(line);
  }
  return Rendered(lines);
}

::testing::AssertionResult MatchesGolden(const std::string& name, const std::string& text) {
  return MatchesGoldenFile(PARITY_SOURCE_DIR "/tests/selfproof/golden/" + name, text);
}

TEST(Table, IsTheOneCheckedIn) {
  const std::string engines =
      "2 ranks; KL in nats, of the port end to end; red: cases not green\n\n" + CandidateTable() +
      "\n" + ReferenceTable();
  const std::string sizes =
      "smallest fault that each instrument finds by itself, 1 rank\n\n" + DetectionTable();
  const std::string printed = engines + "\n" + sizes;
  std::printf("%s", printed.c_str());
  WriteFileAtomically(PARITY_SELFPROOF_TABLE, printed);
  EXPECT_TRUE(MatchesGolden("table.txt", engines));
  EXPECT_TRUE(MatchesGolden("detection.txt", sizes));
}

}  // namespace
}  // namespace parity::testing
