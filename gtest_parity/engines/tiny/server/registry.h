// Tool calls that a client can go on with by their results alone.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_REGISTRY_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_REGISTRY_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/server/intent.h"
#include "gtest_parity/engines/tiny/server/ledger.h"

namespace parity::tiny_server {

struct ContinuationLimits {
  std::uint64_t records = 64;      // the oldest goes first
  std::uint64_t ttl_ms = 300'000;  // of a record
  std::uint64_t pin_ms = 60'000;   // that a bank is kept for it
  std::uint64_t hold_ms = 5'000;   // that a second request for one waits for the first
};

// From publication until it is claimed, once, or expires. A request that has found one holds it
// until it is admitted, and lets go of it if it never is. All methods from any thread.
class Registry {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Owner { kSerial, kBank };

  struct Found {
    std::uint64_t record = 0;  // 0: none
    std::vector<Turn> turns;   // the history, with the calls
    Owner owner = Owner::kSerial;
  };

  Registry(const ContinuationLimits& limits, Ledger& ledger) : limits_(limits), ledger_(ledger) {}

  // `generation` is the engine's, whose bank is kept; 0: none is.
  void Publish(Surface surface, const std::set<std::string>& ids, std::vector<Turn> turns,
               Owner owner, std::uint64_t generation);

  // Holds the record of exactly these calls on this surface. Throws WireError: 400 where there is
  // none, 503 where another request holds it all the while.
  Found Hold(Surface surface, const std::set<std::string>& ids);
  // The same for a request that has the history itself: it only wants to be where the calls were
  // made, so that none, or one that is held, is no error.
  Found HoldIfFree(Surface surface, const std::set<std::string>& ids);
  void LetGo(std::uint64_t record);

  struct Claim {
    bool found = false;
    std::uint64_t generation = 0;  // that is to be closed
  };
  // Takes a held record out.
  Claim Take(std::uint64_t record);

  // Expires what is due. Returns the generations whose banks are kept no longer.
  std::vector<std::uint64_t> Sweep();
  // The oldest bank that is kept, which is so no longer; 0: there is none.
  std::uint64_t Unpin();
  // When there is something to sweep.
  Clock::time_point NextSweep() const;

 private:
  struct Record {
    Surface surface;
    std::set<std::string> ids;
    std::vector<Turn> turns;
    Owner owner;
    std::uint64_t generation;
    Clock::time_point expires, pinned_until;
    bool held = false;
  };

  std::map<std::uint64_t, Record>::iterator Find(Surface surface, const std::set<std::string>& ids);
  void Drop(std::map<std::uint64_t, Record>::iterator record);
  Found HoldNow(std::map<std::uint64_t, Record>::iterator record);
  void Tell();

  const ContinuationLimits limits_;
  Ledger& ledger_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, Record> records_;  // in the order of their publication
  std::vector<std::uint64_t> loose_;         // generations to close
  std::uint64_t published_ = 0;
};

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_REGISTRY_H_
