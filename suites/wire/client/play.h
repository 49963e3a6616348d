// Plays scripts against a server on 127.0.0.1.
#ifndef GTEST_PARITY_SUITES_WIRE_CLIENT_PLAY_H_
#define GTEST_PARITY_SUITES_WIRE_CLIENT_PLAY_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "suites/wire/client/script.h"
#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

// What scripts may call by name: "stop_server". Called from the script's thread.
using Calls = std::map<std::string, std::function<void()>>;

// One connection for each script, all at once, each in a thread of its own. What happened on each,
// in the order of the scripts. Nothing waits for longer than a script's seconds: a connection that
// does ends with kTimedOut.
std::vector<std::vector<ConnectionEvent>> Play(int port, const std::vector<Script>& scripts,
                                               const Calls& calls = {});

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CLIENT_PLAY_H_
