// What the server has done, counted.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_LEDGER_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_LEDGER_H_

#include <array>
#include <cstdint>
#include <mutex>

#include "gtest_parity/engines/tiny/server/intent.h"
#include "gtest_parity/engines/tiny/server/routing.h"
#include "gtest_parity/engines/tiny/server/surface.h"

namespace parity::tiny_server {

enum class Outcome { kCompleted, kFailed, kCanceled, kRefused };
inline constexpr const char* kOutcomeNames[] = {"completed", "failed", "canceled", "refused"};

enum class Shed { kClients, kQueueDepth, kQueueBytes, kQueueAge, kSlowReader, kContinuationHold };
inline constexpr const char* kShedNames[] = {"clients",   "queue_depth", "queue_bytes",
                                             "queue_age", "slow_reader", "continuation_hold"};

// At rest started is the sum of the outcomes, and nothing is in flight. A request that is shed
// before it is queued, or that cannot be read, has not started.
struct Figures {
  std::uint64_t started = 0;
  std::array<std::uint64_t, std::size(kOutcomeNames)> outcomes{};
  std::array<std::uint64_t, std::size(kShedNames)> sheds{};
  // Entries into a lane, by surface and lane.
  std::array<std::array<std::uint64_t, std::size(kLaneNames)>, std::size(kSurfaceNames)> routes{};
  std::array<std::uint64_t, std::size(kReasonNames)> reasons{};
  std::array<std::uint64_t, std::size(kThinkModeNames)> think_modes{};
  std::uint64_t prompt_computed = 0, prompt_cached = 0, generated = 0;  // tokens
  std::uint64_t greedy_instead = 0;  // answers that were to be sampled
  std::uint64_t batches = 0;         // of the static lane, of more than one
  // Continuations: published = claimed + expired + live.
  std::uint64_t published = 0, resolved = 0, missed = 0, claimed = 0, expired = 0, demoted = 0;
  // Now.
  std::uint64_t clients = 0, body_bytes = 0, queued = 0, running = 0, live = 0;
};

class Ledger {
 public:
  // `change` gets the figures, while nobody else does.
  template <typename Change>
  void Add(Change change) {
    const std::lock_guard lock(mutex_);
    change(figures_);
  }
  Figures Now() const {
    const std::lock_guard lock(mutex_);
    return figures_;
  }

 private:
  mutable std::mutex mutex_;
  Figures figures_;
};

// {..}: all of them, by name.
Json StatsOf(const Figures& figures);
// Prometheus' text format. What this server does not do is not there.
std::string MetricsOf(const Figures& figures, bool gathers);

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_LEDGER_H_
