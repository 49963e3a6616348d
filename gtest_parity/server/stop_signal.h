// Signals by name.
#ifndef GTEST_PARITY_SERVER_STOP_SIGNAL_H_
#define GTEST_PARITY_SERVER_STOP_SIGNAL_H_

#include <string>

namespace parity {

// SIGTERM of "SIGTERM". Throws std::invalid_argument for what is no signal.
int SignalOf(const std::string& name);

}  // namespace parity

#endif  // GTEST_PARITY_SERVER_STOP_SIGNAL_H_
