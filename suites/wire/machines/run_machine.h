// The streams of the four surfaces, through their machines.
#ifndef GTEST_PARITY_SUITES_WIRE_MACHINES_RUN_MACHINE_H_
#define GTEST_PARITY_SUITES_WIRE_MACHINES_RUN_MACHINE_H_

#include <vector>

#include "suites/wire/machines/automaton.h"
#include "suites/wire/sse/stream_event.h"
#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

// `ended`: the server ended the stream; where the client broke it off its end is not judged. Data
// that is no JSON is passed over, as are events of a type that no machine knows.
MachineRun RunMachine(Surface surface, const std::vector<StreamEvent>& events, bool ended);

// The machines themselves, for whoever lists them.
std::vector<const Machine*> AllMachines();

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_MACHINES_RUN_MACHINE_H_
