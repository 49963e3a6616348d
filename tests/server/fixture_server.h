// The server of fixture_server.py, in its moods.
#ifndef GTEST_PARITY_TESTS_SERVER_FIXTURE_SERVER_H_
#define GTEST_PARITY_TESTS_SERVER_FIXTURE_SERVER_H_

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

#include "gtest_parity/server/server_process.h"

namespace parity {

inline ServerSpec FixtureServer(const std::vector<std::string>& moods = {}) {
  ServerSpec spec;
  spec.side = "candidate";
  spec.name = "fixture";
  spec.server.command = {PARITY_PYTHON, PARITY_SOURCE_DIR "/tests/server/fixture_server.py",
                         "{port}"};
  spec.server.command.insert(spec.server.command.end(), moods.begin(), moods.end());
  return spec;
}

inline ServerOptions FixtureOptions() {
  ServerOptions options;
  options.host_program = PARITY_HOST;
  options.deadline_seconds = 60;
  return options;
}

// What `act` must throw; an empty one, and a failure, if it does not.
template <typename Error, typename Act>
std::string ThrownBy(Act act) {
  try {
    act();
  } catch (const Error& error) {
    if constexpr (std::is_same_v<Error, SideFailure>) {
      return error.death().Text();
    } else {
      return error.what();
    }
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_SERVER_FIXTURE_SERVER_H_
