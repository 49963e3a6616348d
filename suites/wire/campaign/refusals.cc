#include "suites/wire/campaign/refusals.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "gtest_parity/manifest/one_document.h"
#include "gtest_parity/manifest/yaml_expansion.h"
#include "suites/wire/campaign/sessions.h"
#include "suites/wire/probes/probe_yaml.h"

namespace parity::wire {
namespace {

constexpr char kRule[] = "refusal";

const ManifestSection kFileKeys = {"refusals", {{"refusals", true}}};
const ManifestSection kEntryKeys = {
    "refusal", {{"case", true}, {"lane"}, {"side", true}, {"reason", true}, {"until", true}}};

// How a request was taken: empty where it was accepted.
std::string RefusalOf(const AnswerView& answer) {
  if (answer.response == nullptr) return "no answer";
  if (answer.status() < 400) return "";
  std::string text = std::to_string(answer.status());
  const auto& error = answer.answer.error;
  if (!error) return text;
  return text + " " + error->type + (error->code.empty() ? "" : " (" + error->code + ")");
}

// Names of exchanges, those of further connections and copies included.
bool IsOfAnyProbe(const std::string& name, const Probes& probes) {
  for (const WireLane& lane : probes.lanes) {
    for (const Place& place : PlacesOf(probes, lane)) {
      if (name == place.Name() || name.starts_with(place.Name() + ".")) return true;
    }
  }
  return false;
}

ClassedFinding FindingOf(const std::string& exchange, const std::string& where,
                         const std::string& got, const std::string& expected) {
  return {{kRule, exchange, where, got, expected}, FindingClass::kCandidateLeavesProfile};
}

}  // namespace

Refusals Refusals::Read(const std::string& path, const Probes& probes) {
  std::ifstream stream(path);
  std::ostringstream text;
  if (!stream || !(text << stream.rdbuf())) {
    throw InvalidInput({{path, {}, "cannot be read", "", "classified refusals (YAML)"}});
  }
  return ReadText(path, text.str(), probes);
}

Refusals Refusals::ReadText(const std::string& path, const std::string& text,
                            const Probes& probes) {
  const YAML::Node root = LoadOneDocument(path, text);
  CheckExpansion(root, path);
  ProbeYaml yaml;
  yaml.file.name = path;
  Refusals refusals;
  const YamlSection top(root, "", kFileKeys, &yaml.file);
  const auto list = top.Find("refusals");
  // A list without any is what remains of one that was worked off.
  if (list && !(list->IsSequence() && list->size() == 0)) {
    yaml.Each(*list, "refusals", [&](const YAML::Node& node, const std::string& at) {
      const YamlSection section(node, at, kEntryKeys, &yaml.file);
      ClassifiedRefusal& entry = refusals.entries_.emplace_back();
      if (!node.IsMap()) return;
      entry.at = section.at();
      for (const auto& [key, out] : {std::pair{"case", &entry.exchange},
                                     {"lane", &entry.lane},
                                     {"side", &entry.side},
                                     {"reason", &entry.reason},
                                     {"until", &entry.until}}) {
        section.Read(key, out);
      }
      if (entry.side != "reference" && entry.side != "candidate") {
        yaml.file.AddAt(entry.at, section.PathOf("side"), Quoted(entry.side),
                        "\"reference\" or \"candidate\"");
      }
      if (!IsOfAnyProbe(entry.exchange, probes)) {
        yaml.file.AddAt(entry.at, section.PathOf("case"), Quoted(entry.exchange),
                        "an exchange of the probes, as \"chat/plain/buffered\"");
      }
    });
  }
  yaml.file.errors.ThrowIfAny();
  return refusals;
}

const ClassifiedRefusal* Refusals::Find(const std::string& lane, const std::string& exchange,
                                        const std::string& side, const std::string& today) {
  for (ClassifiedRefusal& entry : entries_) {
    const bool fits = entry.exchange == exchange && entry.side == side &&
                      (entry.lane.empty() || entry.lane == lane);
    if (!fits) continue;
    entry.used = true;
    if (entry.until >= today) return &entry;
  }
  return nullptr;
}

bool Refusals::IsClassified(const std::string& lane, const std::string& exchange,
                            const std::string& today) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const ClassifiedRefusal& entry) {
    return entry.exchange == exchange && (entry.lane.empty() || entry.lane == lane) &&
           entry.until >= today;
  });
}

std::vector<ClassedFinding> Refusals::Compare(const std::string& lane,
                                              const ExchangeView& reference,
                                              const ExchangeView& candidate,
                                              const std::string& today) {
  for (ClassifiedRefusal& entry : entries_) {
    const bool here = entry.lane.empty() || entry.lane == lane;
    entry.asked = entry.asked || (here && entry.exchange == candidate.name());
  }
  std::vector<ClassedFinding> findings;
  const std::size_t answers = std::min(reference.answers.size(), candidate.answers.size());
  for (std::size_t i = 0; i < answers; ++i) {
    const std::string theirs = RefusalOf(reference.answers[i]);
    const std::string mine = RefusalOf(candidate.answers[i]);
    if (theirs == mine) continue;
    const std::string where = "request " + std::to_string(i);
    const std::string& name = candidate.name();
    if (!theirs.empty() && !mine.empty()) {
      findings.push_back(FindingOf(name, where, mine, theirs + ", as the reference refuses it"));
    } else if (mine.empty()) {
      if (Find(lane, name, "reference", today) != nullptr) continue;
      findings.push_back(FindingOf(name, where, "accepted",
                                   theirs + ", as the reference, or a classified refusal of it"));
    } else {
      if (Find(lane, name, "candidate", today) != nullptr) continue;
      findings.push_back(FindingOf(
          name, where, mine, "an answer, as the reference, or a classified refusal of its own"));
    }
  }
  return findings;
}

}  // namespace parity::wire
