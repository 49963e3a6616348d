// Probes for servers that offer fewer surfaces than a file asks.
#ifndef GTEST_PARITY_SUITES_WIRE_PROBES_ON_SURFACES_H_
#define GTEST_PARITY_SUITES_WIRE_PROBES_ON_SURFACES_H_

#include <vector>

#include "suites/wire/probes/probe.h"

namespace parity::wire {

// `probes`, asked on `kept` alone; those of no other surface are gone, further connections of one
// that stays are asked as they are. Without `metrics` among them nothing is scraped. Throws
// InvalidInput where nothing is left, or where a probe that stays refers to one that does not.
Probes OnSurfaces(Probes probes, const std::vector<Surface>& kept);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_PROBES_ON_SURFACES_H_
