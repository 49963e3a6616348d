#include "gtest_parity/server/stop_signal.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <stdexcept>

namespace parity {
namespace {

TEST(StopSignal, HasItsName) {
  EXPECT_EQ(SignalOf("SIGTERM"), SIGTERM);
  EXPECT_EQ(SignalOf("SIGINT"), SIGINT);
  EXPECT_THROW(SignalOf("TERM"), std::invalid_argument);
  EXPECT_THROW(SignalOf(""), std::invalid_argument);
}

}  // namespace
}  // namespace parity
