// What must hold between the parts of the probes' file.
#ifndef GTEST_PARITY_SUITES_WIRE_PROBES_CHECK_PROBES_H_
#define GTEST_PARITY_SUITES_WIRE_PROBES_CHECK_PROBES_H_

#include "gtest_parity/manifest/yaml_section.h"
#include "suites/wire/probes/probe.h"

namespace parity::wire {

// That what a probe refers to is asked before it on the same server, and that each of its surfaces
// has words and a path for what it asks.
void CheckProbes(const Probes& probes, YamlFile* file);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_PROBES_CHECK_PROBES_H_
