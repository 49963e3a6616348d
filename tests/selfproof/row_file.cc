#include "tests/selfproof/row_file.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gtest_parity/report/files.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

std::string PathOf(const std::string& row, const std::string& column) {
  return std::string(PARITY_SELFPROOF_FOLDER) + "/" + row + "." + column + ".json";
}

// Adds a word unless it is there already.
void Join(std::string& text, const std::string& word) {
  if (("/" + text + "/").find("/" + word + "/") != std::string::npos) return;
  text += (text.empty() ? "" : "/") + word;
}

// Below a millionth the digits are those of the machine's libm.
std::string KlText(const std::optional<double>& kl) {
  if (!kl) return "-";
  if (std::isinf(*kl)) return "inf";
  if (*kl == 0) return "0";
  if (*kl < 1e-6) return "<1e-06";
  char text[32];
  std::snprintf(text, sizeof(text), "%.2g", *kl);
  return text;
}

}  // namespace

RowCell CellOf(const std::vector<CaseResult>& cases, const std::vector<std::string>& spans) {
  RowCell cell;
  std::optional<double> worst_kl;
  for (const CaseResult& result : cases) {
    const bool asked = std::find(spans.begin(), spans.end(), SlugOf(result)) != spans.end();
    if (FixtureOf(result) == "SpanParity" && asked) {
      Join(cell.outcome, std::string(NameOf(result.outcome)));
      if (result.verdict.span_class) {
        Join(cell.span_class, std::string(NameOf(*result.verdict.span_class)));
      }
    }
    const std::string kl = FixtureOf(result) == "EndToEnd" ? PropertyOf(result, "kl") : "";
    if (!kl.empty()) worst_kl = std::max(worst_kl.value_or(0), std::stod(kl));
  }
  cell.kl = KlText(worst_kl);
  cell.red = std::to_string(RedCases(cases).size()) + " of " + std::to_string(cases.size());
  return cell;
}

void RemoveCell(const std::string& row, const std::string& column) {
  std::filesystem::create_directories(PARITY_SELFPROOF_FOLDER);
  std::filesystem::remove(PathOf(row, column));
}

void WriteCell(const std::string& row, const std::string& column, const RowCell& cell) {
  const nlohmann::json json = {
      {"class", cell.span_class}, {"outcome", cell.outcome}, {"kl", cell.kl}, {"red", cell.red}};
  WriteFileAtomically(PathOf(row, column), json.dump() + "\n");
}

std::optional<RowCell> ReadCell(const std::string& row, const std::string& column) {
  const std::optional<std::string> text = ReadFileIfThere(PathOf(row, column));
  if (!text) return std::nullopt;
  const nlohmann::json json = nlohmann::json::parse(*text);
  return RowCell{json.at("class"), json.at("outcome"), json.at("kl"), json.at("red")};
}

}  // namespace parity::testing
