// One lane, as the probes' file has it.
#ifndef GTEST_PARITY_SUITES_WIRE_PROBES_READ_LANE_H_
#define GTEST_PARITY_SUITES_WIRE_PROBES_READ_LANE_H_

#include <string>

#include "suites/wire/probes/probe.h"
#include "suites/wire/probes/probe_yaml.h"

namespace parity::wire {

void ReadLane(const YAML::Node& node, const std::string& path, ProbeYaml& yaml, WireLane* lane);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_PROBES_READ_LANE_H_
