// Deliberate faults of the wire, off by default: what a suite must be able to find.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_MUTANTS_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_MUTANTS_H_

#include <httplib.h>

#include <span>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/server/options.h"
#include "gtest_parity/engines/tiny/server/projector.h"

namespace parity::tiny_server {

// Faults that are no change of what is said, but of what is done: the code asks for them by name.
enum class Quirk {
  kNone,
  kWrongLane,
  kCompletedNotCounted,
  kCountsTwice,
  kSlotLeaks,
  kRunsOn,
  kContinuationLost,
  kContinuationStays,
  kStopLeaked,
  kHoldBackLost,
  kThinkTagLeaked,
  kBursts,
  kNoLastChunk,
  kLengthTooLong,
  kShutdownCutsStreams,
  kLateErrors,
  kGathersOneMore,
  kClaimsNotCounted,
  kAbortedInOneFamily,
  kZeroForAbsent,
};

// Of one stream, for hooks that need to know what came before.
struct StreamState {
  Surface surface = Surface::kChat;
  std::uint64_t frames = 0;  // before this batch
  Json kept;
};

struct WireHooks {
  Quirk quirk = Quirk::kNone;
  void (*frames)(std::vector<Frame>& frames, StreamState& state) = nullptr;  // of a stream
  void (*text)(std::string& text) = nullptr;            // the same, as it is sent
  void (*body)(Json& body, Surface surface) = nullptr;  // of a whole answer
  void (*reply)(httplib::Response& reply) = nullptr;    // headers, and errors
  void (*request)(Json& body) = nullptr;                // before it is read; comments are gone
};

struct WireMutant {
  const char* name;
  const char* rule;  // that it breaks: of docs/tiny_server.md
  const char* what;
  WireHooks hooks;
};

std::span<const WireMutant> AllWireMutants();
// A line for each: name, rule, what.
std::string WireMutantTable();

inline bool Mutated(const ServerOptions& options, Quirk quirk) {
  return options.mutant != nullptr && options.mutant->hooks.quirk == quirk;
}

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_MUTANTS_H_
