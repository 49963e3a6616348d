#include "gtest_parity/server/stop_signal.h"

#include <signal.h>
#include <string.h>

#include <stdexcept>

namespace parity {

int SignalOf(const std::string& name) {
  for (int number = 1; number < NSIG; ++number) {
    const char* known = sigabbrev_np(number);
    if (known != nullptr && name == "SIG" + std::string(known)) return number;
  }
  throw std::invalid_argument(name + ": no signal");
}

}  // namespace parity
