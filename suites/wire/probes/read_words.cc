#include "suites/wire/probes/read_words.h"

namespace parity::wire {
namespace {

using nlohmann::json;

const ManifestSection kSideKeys = {"side", {{"counters"}, {"metrics"}}};
const ManifestSection kCounterKeys = {
    "counters", {{"routes"}, {"at_rest"}, {"started"}, {"outcomes"}, {"alike"}, {"sums"}}};
const ManifestSection kMetricKeys = {"metrics",
                                     {{"prompt_tokens"}, {"output_tokens"}, {"active"}, {"alike"}}};

void ReadSum(const YamlSection& section, const std::string& total, const json& parts,
             ProbeYaml& yaml, CounterPlaces* places) {
  CounterSum& sum = places->sums.emplace_back();
  sum.total = total;
  for (const json& part : parts) {
    if (part.is_string()) sum.parts.push_back(part.get<std::string>());
  }
  if (parts.is_array() && sum.parts.size() == parts.size() && !parts.empty()) return;
  yaml.file.AddAt(section.at(), section.PathOf("sums"), parts.dump(), "a list of JSON pointers");
}

void CheckPointers(const YamlSection& section, const CounterPlaces& places, ProbeYaml& yaml) {
  std::vector<std::string> pointers = places.at_rest;
  pointers.insert(pointers.end(), {places.routes, places.started, places.outcomes});
  for (const auto& [role, pointer] : places.alike) pointers.push_back(pointer);
  for (const CounterSum& sum : places.sums) {
    pointers.push_back(sum.total);
    pointers.insert(pointers.end(), sum.parts.begin(), sum.parts.end());
  }
  for (const std::string& pointer : pointers) {
    if (pointer.empty() || pointer.starts_with('/')) continue;
    yaml.file.AddAt(section.at(), "counters", Quoted(pointer), "a JSON pointer: \"/a/b\"");
  }
}

void ReadCountersAndMetrics(const YamlSection& in, ProbeYaml& yaml, SideWords* words) {
  if (const auto node = in.Find("counters")) {
    const YamlSection section(*node, in.PathOf("counters"), kCounterKeys, &yaml.file);
    CounterPlaces& places = words->counters;
    section.Read("routes", &places.routes);
    section.Read("started", &places.started);
    section.Read("outcomes", &places.outcomes);
    if (section.Find("at_rest")) places.at_rest = yaml.Texts(section, "at_rest");
    json alike = json::object();
    yaml.Map(section, "alike", &alike);
    for (const auto& [role, pointer] : alike.items()) {
      places.alike[role] = pointer.is_string() ? pointer.get<std::string>() : pointer.dump();
    }
    json sums = json::object();
    yaml.Map(section, "sums", &sums);
    for (const auto& [total, parts] : sums.items()) ReadSum(section, total, parts, yaml, &places);
    CheckPointers(section, places, yaml);
  }
  if (const auto node = in.Find("metrics")) {
    const YamlSection section(*node, in.PathOf("metrics"), kMetricKeys, &yaml.file);
    section.Read("prompt_tokens", &words->metrics.prompt_tokens);
    section.Read("output_tokens", &words->metrics.output_tokens);
    section.Read("active", &words->metrics.active);
    if (section.Find("alike")) words->metrics.alike = yaml.Texts(section, "alike");
  }
}

}  // namespace

void ReadWords(const YamlSection& top, ProbeYaml& yaml, Probes* probes) {
  for (SideWords& words : probes->words) ReadCountersAndMetrics(top, yaml, &words);
  for (const auto& [key, side] :
       {std::pair{"reference", kReferenceSide}, {"candidate", kCandidateSide}}) {
    if (const auto node = top.Find(key)) {
      ReadCountersAndMetrics(YamlSection(*node, key, kSideKeys, &yaml.file), yaml,
                             &probes->words[side]);
    }
  }
}

}  // namespace parity::wire
