// A request on its way, between the thread of its client and that of the engine.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_JOB_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_JOB_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "gtest_parity/engines/tiny/server/intent.h"
#include "gtest_parity/engines/tiny/server/routing.h"
#include "gtest_parity/engines/tiny/server/tape.h"
#include "gtest_parity/engines/tiny/server/text_filter.h"

namespace parity::tiny_server {

struct Parcel {
  enum class Kind { kOpened, kEvent, kDropped };
  Kind kind = Kind::kEvent;
  Usage usage = {};      // of kOpened: the prompt's side
  TapeEvent event = {};  // of kEvent
  Json told = {};        // with kEnd: what the engine told besides
};

class Mailbox {
 public:
  void Put(Parcel parcel) {
    {
      const std::lock_guard lock(mutex_);
      parcels_.push_back(std::move(parcel));
    }
    changed_.notify_one();
  }

  // Nothing if none comes in time.
  std::optional<Parcel> Take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, patience, [this] { return !parcels_.empty(); })) return {};
    Parcel parcel = std::move(parcels_.front());
    parcels_.pop_front();
    return parcel;
  }

  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return parcels_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Parcel> parcels_;
};

struct Job {
  using Clock = std::chrono::steady_clock;

  // `splits`: thinking is told from the answer.
  Job(Intent of_client, Route chosen, bool splits = true)
      : intent(std::move(of_client)),
        route(chosen),
        filter(intent.stops, splits && intent.think == ThinkMode::kOn) {}

  const Intent intent;
  std::uint64_t record = 0;           // of a continuation that it holds; 0: none
  bool has_history = false;           // it can do without
  Mailbox mailbox;                    // to the client's thread
  std::atomic<bool> canceled{false};  // by that

  // The scheduler's own, once it has been submitted.
  Route route;
  Clock::time_point arrived;
  TextFilter filter;
  std::uint64_t generation = 0;
  Usage usage;
  std::string text, reasoning;
  Json told = {{"ids", Json::array()},
               {"events", Json::array()}};  // ids, usage, route, restored, ran, events
};

using JobPtr = std::shared_ptr<Job>;

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_JOB_H_
