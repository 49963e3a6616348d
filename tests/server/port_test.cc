#include "gtest_parity/server/port.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/server/fixture_server.h"

namespace parity {
namespace {

TEST(Port, IsFreeUntilSomebodyListens) {
  const int port = FreePort();
  EXPECT_TRUE(IsFree(port));
  EXPECT_FALSE(ListenOn(port, {getpid()}).has_value());
  ServerSpec spec = FixtureServer();
  spec.server.port = static_cast<std::uint32_t>(port);
  ServerProcess server(spec, FixtureOptions());
  server.WaitUntilReady();
  EXPECT_FALSE(IsFree(port));
  EXPECT_EQ(ListenOn(port, {getpid(), server.pid()}), true);
  EXPECT_EQ(ListenOn(port, {getpid()}), false);
}

}  // namespace
}  // namespace parity
