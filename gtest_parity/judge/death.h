// How a side's process, or its answer to one call, came to an end.
#ifndef GTEST_PARITY_JUDGE_DEATH_H_
#define GTEST_PARITY_JUDGE_DEATH_H_

#include <string>
#include <vector>

namespace parity {

// A process that ended, or did not answer, or an engine that failed or refused, while a case used
// it.
struct Death {
  enum class Cause { kSignal, kExit, kHang, kFailed, kRefused, kDeviceLost };
  Cause cause = Cause::kSignal;
  std::string what;  // "signal SIGSEGV", "exit status 77", "no answer within 2 s", an error's words
  std::vector<int> ranks;  // who; empty: not known
  std::string run;         // "b1_page_edge/decode#3"; empty: while loading
  std::string op;          // "layer0.attention"; empty: not known
  bool during_setup = false;
  bool of_server = false;  // its ranks are its own affair
  std::string output;      // the last lines that it printed; empty: told elsewhere
  // "died: signal SIGSEGV, rank 1, b1_page_edge/decode#3, op layer0.attention". Of a server
  // without the rank, and with its output in lines of their own.
  std::string Text() const;
};

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_DEATH_H_
