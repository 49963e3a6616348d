#include "suites/wire/probes/check_probes.h"

#include <algorithm>
#include <string>
#include <vector>

#include "suites/wire/probes/render_ask.h"

namespace parity::wire {
namespace {

void CheckLanes(const Probes& probes, YamlFile* file) {
  std::vector<std::string> names;
  for (const WireLane& lane : probes.lanes) names.push_back(lane.name);
  for (const WireLane& lane : probes.lanes) {
    for (const auto& [way, by] : lane.served_by) {
      if (std::find(names.begin(), names.end(), by) != names.end()) continue;
      file->AddAt(lane.at, "lane " + lane.name + ": served_by", Quoted(by),
                  ExpectedName(by, names));
    }
  }
}

// What a probe refers to runs in the same session before it.
void CheckLinks(const Probes& probes, YamlFile* file) {
  std::vector<std::string> before;
  for (const Probe& probe : probes.probes) {
    for (const std::string* link :
         {&probe.own.same_as, &probe.own.same_prompt_as, &probe.own.cut_of, &probe.own.warm_of}) {
      if (link->empty() || *link == probe.name) continue;
      const Probe* named = probes.Find(*link);
      const bool earlier = std::find(before.begin(), before.end(), *link) != before.end();
      if (!earlier || named->fresh != probe.fresh) {
        file->AddAt(probe.at, "probe " + probe.name, Quoted(*link),
                    probe.fresh
                        ? "itself, as its servers are its own"
                        : "a probe before it that is not fresh: " + ExpectedName(*link, before));
      }
    }
    before.push_back(probe.name);
  }
}

void CheckAsk(const Probe& probe, const Ask& ask, Surface surface, YamlFile* file) {
  if (ask.ask.is_null() || !Generates(surface)) return;
  try {
    RenderAsk(surface, ask.ask, "model", true);
  } catch (const std::exception& error) {
    file->AddAt(probe.at, "probe " + probe.name, error.what(), "what each of its surfaces can say");
  }
}

void CheckWords(const Probes& probes, YamlFile* file) {
  for (const Probe& probe : probes.probes) {
    for (const Surface surface : probe.surfaces) {
      if (!Generates(surface) && probe.own.path.empty()) {
        file->AddAt(probe.at, "probe " + probe.name, "no path",
                    "a path, as " + std::string(NameOf(surface)) + " does not tell it");
      }
      for (const Way way : probe.ways) {
        if (!Generates(surface) && way == Way::kStreamed) {
          file->AddAt(probe.at, "probe " + probe.name, std::string(NameOf(surface)) + " streamed",
                      "ways: [buffered], or surfaces that generate");
        }
      }
      CheckAsk(probe, probe.own, surface, file);
      for (const Ask& ask : probe.beside) CheckAsk(probe, ask, ask.surface.value_or(surface), file);
      for (const Ask& ask : probe.after) CheckAsk(probe, ask, ask.surface.value_or(surface), file);
    }
  }
}

void CheckNames(const Probes& probes, YamlFile* file) {
  for (const Probe& probe : probes.probes) {
    for (const std::vector<Ask>* asks : {&probe.beside, &probe.after}) {
      for (const Ask& ask : *asks) {
        const auto* end = kPartsOfAnswers.end();
        if (std::find(kPartsOfAnswers.begin(), end, ask.name) == end) continue;
        file->AddAt(probe.at, "probe " + probe.name, "a connection " + Quoted(ask.name),
                    "another name: that one is part of the probe's own answer");
      }
    }
  }
}

}  // namespace

void CheckProbes(const Probes& probes, YamlFile* file) {
  CheckLanes(probes, file);
  CheckLinks(probes, file);
  CheckWords(probes, file);
  CheckNames(probes, file);
}

}  // namespace parity::wire
