// Reads the probes of the suite `wire`: docs/wire.md.
#ifndef GTEST_PARITY_SUITES_WIRE_PROBES_READ_PROBES_H_
#define GTEST_PARITY_SUITES_WIRE_PROBES_READ_PROBES_H_

#include <string>

#include "suites/wire/probes/probe.h"

namespace parity::wire {

// Throws InvalidInput with every error of the file: unknown keys, lanes, surfaces and probes, and
// questions that a surface has no words for.
Probes ReadProbes(const std::string& path);

// A text that stands for the file at `path`.
Probes ReadProbesText(const std::string& path, const std::string& text);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_PROBES_READ_PROBES_H_
