// What a client does on one connection, step by step.
#ifndef GTEST_PARITY_SUITES_WIRE_CLIENT_SCRIPT_H_
#define GTEST_PARITY_SUITES_WIRE_CLIENT_SCRIPT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace parity::wire {

struct Step {
  enum class Kind {
    kSend,        // `text`, `count` bytes in each write; 0: all in one; `milliseconds` between them
    kAwaitBytes,  // until `count` bytes came; for `milliseconds` at most, if that is not 0
    kAwaitEvents,   // until `count` events of a stream came whole
    kAwaitAnswers,  // until `count` answers came whole, interim ones left out
    kAwaitEnd,      // until the server closes; or all answers are whole and none says that it will
    kReadSlowly,    // to the same end, at most `count` bytes every `milliseconds`
    kHalfClose,     // the client writes no more
    kClose,
    kReset,  // closes so that the server reads an error
    kPause,  // `milliseconds`, without reading
    kTell,   // others of the same play that hear `text` go on
    kHear,   // until `text` was told `count` times
    kCall,   // what the play knows under `text`
  };
  Kind kind = Kind::kAwaitEnd;
  std::string text = {};
  std::uint64_t count = 0, milliseconds = 0;
};

struct Script {
  std::vector<Step> steps;
  std::vector<std::string> methods;  // of the requests that are sent, in order
  double seconds = 30;               // of all steps; then the client gives up and closes
  std::size_t receive_buffer = 0;    // bytes of the socket's; 0: the system's
};

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CLIENT_SCRIPT_H_
