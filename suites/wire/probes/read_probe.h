// One probe, as the probes' file has it.
#ifndef GTEST_PARITY_SUITES_WIRE_PROBES_READ_PROBE_H_
#define GTEST_PARITY_SUITES_WIRE_PROBES_READ_PROBE_H_

#include <vector>

#include "suites/wire/probes/probe.h"
#include "suites/wire/probes/probe_yaml.h"

namespace parity::wire {

ManifestSection ProbeKeys();

// All but its name. `defaults`: what a question says where it says nothing else; `lanes`: of the
// file.
void ReadProbe(const YamlSection& section, const nlohmann::json& defaults,
               const std::vector<WireLane>& lanes, ProbeYaml& yaml, Probe* probe);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_PROBES_READ_PROBE_H_
