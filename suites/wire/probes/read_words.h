// What each side calls its counters and metrics.
#ifndef GTEST_PARITY_SUITES_WIRE_PROBES_READ_WORDS_H_
#define GTEST_PARITY_SUITES_WIRE_PROBES_READ_WORDS_H_

#include "suites/wire/probes/probe.h"
#include "suites/wire/probes/probe_yaml.h"

namespace parity::wire {

// Both sides' words, and over them what one of the two has of its own.
void ReadWords(const YamlSection& top, ProbeYaml& yaml, Probes* probes);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_PROBES_READ_WORDS_H_
