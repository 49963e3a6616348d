// One connection of a probe, as the file has it.
#ifndef GTEST_PARITY_SUITES_WIRE_PROBES_READ_ASK_H_
#define GTEST_PARITY_SUITES_WIRE_PROBES_READ_ASK_H_

#include <string>

#include "suites/wire/probes/probe.h"
#include "suites/wire/probes/probe_yaml.h"

namespace parity::wire {

// The keys of an Ask; those of a probe are these and its own.
std::vector<ManifestKey> AskKeys();

// `defaults`: what a question says where it says nothing else.
void ReadAsk(const YamlSection& section, const nlohmann::json& defaults, ProbeYaml& yaml, Ask* ask);

// Further connections, which have a name and a surface of their own.
void ReadFurther(const YAML::Node& node, const std::string& path, const nlohmann::json& defaults,
                 ProbeYaml& yaml, std::vector<Ask>* asks);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_PROBES_READ_ASK_H_
