#include "suites/wire/probes/on_surfaces.h"

#include <algorithm>
#include <string>

namespace parity::wire {
namespace {

void KeepOnly(const std::vector<Surface>& kept, std::vector<Surface>* surfaces) {
  std::erase_if(*surfaces, [&](Surface surface) {
    return std::find(kept.begin(), kept.end(), surface) == kept.end();
  });
}

[[noreturn]] void Fail(const Probes& probes, const Probe* probe, const std::string& what) {
  throw InvalidInput({{probes.path, probe == nullptr ? Position{} : probe->at, "wire.surfaces",
                       what, "surfaces on which the probes can be asked"}});
}

void CheckLinks(const Probes& probes, const Probe& probe) {
  for (const std::string* link :
       {&probe.own.same_as, &probe.own.same_prompt_as, &probe.own.cut_of, &probe.own.warm_of}) {
    if (link->empty() || probes.Find(*link) != nullptr) continue;
    Fail(probes, &probe, "probe " + probe.name + " without " + *link);
  }
}

}  // namespace

Probes OnSurfaces(Probes probes, const std::vector<Surface>& kept) {
  for (Probe& probe : probes.probes) {
    KeepOnly(kept, &probe.surfaces);
    KeepOnly(kept, &probe.alike);
    if (probe.alike.size() < 2) probe.alike.clear();
  }
  std::erase_if(probes.probes, [](const Probe& probe) { return probe.surfaces.empty(); });
  if (probes.probes.empty()) Fail(probes, nullptr, "no probe is left");
  for (const Probe& probe : probes.probes) CheckLinks(probes, probe);
  if (std::find(kept.begin(), kept.end(), Surface::kMetrics) == kept.end()) {
    for (SideWords& words : probes.words) words.metrics = {};
  }
  return probes;
}

}  // namespace parity::wire
