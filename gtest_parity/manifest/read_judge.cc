#include "gtest_parity/manifest/read_judge.h"

#include <algorithm>
#include <chrono>

namespace parity {
namespace {

bool IsDate(const std::string& text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i != 4 && i != 7 && (text[i] < '0' || text[i] > '9')) return false;
  }
  const std::chrono::year_month_day date{
      std::chrono::year(std::stoi(text.substr(0, 4))),
      std::chrono::month(static_cast<unsigned>(std::stoi(text.substr(5, 2)))),
      std::chrono::day(static_cast<unsigned>(std::stoi(text.substr(8, 2))))};
  return date.ok();
}

void ReadTolerance(const YAML::Node& node, const std::string& path, YamlFile* file,
                   std::vector<Tolerance>* out) {
  const YamlSection section(node, path, FindManifestSection("tolerance"), file);
  if (!node.IsMap()) return;
  Tolerance tolerance;
  tolerance.at = section.at();
  section.Read("program", &tolerance.program);
  section.Read("span", &tolerance.span);
  section.Read("buffer", &tolerance.buffer);
  section.Read("reason", &tolerance.reason);
  section.Read("until", &tolerance.until);
  if (section.Find("nrmse")) section.Read("nrmse", 0.0, false, &tolerance.nrmse.emplace());
  if (section.Find("max_ulp")) {
    section.Read("max_ulp", std::uint64_t{0}, &tolerance.max_ulp.emplace());
  }
  if (!tolerance.nrmse && !tolerance.max_ulp) {
    file->AddAt(section.at(), path + " allows nothing", "", "nrmse, max_ulp or both");
  }
  const auto until = section.Find("until");
  if (until && !IsDate(tolerance.until)) {
    file->Add(*until, section.PathOf("until"), KindOf(*until), "a date, YYYY-MM-DD");
  }
  out->push_back(std::move(tolerance));
}

void ReadChanged(const YamlSection& section, YamlFile* file, JudgeOptions* out) {
  const auto changed = section.Find("changed");
  if (!changed) return;
  if (!changed->IsSequence() || changed->size() == 0) {
    file->Add(*changed, "judge.changed", KindOf(*changed),
              "a list of patterns, such as [\"*_attention\"]");
    return;
  }
  if (out->spans == SpanMode::kExact) {
    file->Add(*changed, "judge.changed", "spans: exact, where no span may differ",
              "spans: end_to_end");
  }
  for (const YAML::Node& one : *changed) {
    if (one.IsScalar()) {
      out->changed.push_back({one.Scalar(), PositionOf(one)});
    } else {
      file->Add(one, "judge.changed", KindOf(one), "a pattern of spans");
    }
  }
}

}  // namespace

void ReadJudge(const YAML::Node& node, YamlFile* file, JudgeOptions* out) {
  const YamlSection section(node, "judge", FindManifestSection("judge"), file);
  std::size_t mode = 0;
  section.ReadChoice("spans", {"exact", "end_to_end"}, &mode);
  out->spans = mode == 0 ? SpanMode::kExact : SpanMode::kEndToEnd;
  section.Read("kl", 0.0, true, &out->kl);
  section.Read("repeats", std::uint32_t{2}, &out->repeats);
  section.Read("noisy_repeats", std::uint32_t{1}, &out->noisy_repeats);
  section.Read("spread_factor", 1.0, false, &out->spread_factor);
  section.Read("margin", 0.0, false, &out->margin);
  std::size_t self = 0;
  section.ReadChoice("self", {"allowed"}, &self);
  out->self_allowed = section.Find("self").has_value();
  std::size_t causality = 0;
  section.ReadChoice("causality", {"probed"}, &causality);
  out->causality_probed = section.Find("causality").has_value();
  ReadChanged(section, file, out);
  const auto tolerances = section.Find("tolerances");
  if (!tolerances) return;
  if (!tolerances->IsSequence()) {
    file->Add(*tolerances, "judge.tolerances", KindOf(*tolerances), "a list");
    return;
  }
  for (std::size_t i = 0; i < tolerances->size(); ++i) {
    ReadTolerance((*tolerances)[i], "judge.tolerances[" + std::to_string(i) + "]", file,
                  &out->tolerances);
  }
}

}  // namespace parity
