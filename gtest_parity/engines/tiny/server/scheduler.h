// The one thread that owns the engine: it admits requests into lanes, and steps them a token at a
// time.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_SCHEDULER_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_SCHEDULER_H_

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gtest_parity/engine/rank.h"
#include "gtest_parity/engines/tiny/server/job.h"
#include "gtest_parity/engines/tiny/server/ledger.h"
#include "gtest_parity/engines/tiny/server/options.h"
#include "gtest_parity/engines/tiny/server/registry.h"

namespace parity::tiny_server {

class Scheduler {
 public:
  // Loads the engine in the new thread. Throws EngineError. What it is given must outlive it.
  Scheduler(const std::string& plugin, const std::string& engine, const std::string& config,
            const ServerOptions& options, Ledger& ledger, Registry& registry);
  ~Scheduler();  // as after Stop
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // Queues it. Its mailbox gets kOpened and events up to kEnd or kFailure, or kFailure alone, or
  // kDropped at any time. Throws WireError where it is shed.
  void Submit(const JobPtr& job);
  // Nobody waits for it any more.
  void Cancel(const JobPtr& job);
  // The engine's. Waits for its turn between two rounds.
  std::string Counters();
  bool stopping() const { return stopping_; }
  // Answers under way have the grace to end, no others are begun; the engine stores what is live.
  void Stop();

 private:
  using Clock = Job::Clock;
  using Question = std::packaged_task<std::string(Rank&)>;
  struct LaneState {
    std::deque<JobPtr> waiting;
    std::vector<JobPtr> running;
  };

  void Run(const parity_engine_api& api, const std::string& config, std::promise<void>& ready);
  void Serve();
  bool Wait();
  Clock::time_point NextDue() const;
  void TakeIn();
  void DropTheLate();
  void DropTheCanceled();
  void EndAtOnce();
  void Admit();
  void AdmitGathered();
  bool Open(JobPtr job);
  bool Claim(const JobPtr& job);
  bool OpenInEngine(const JobPtr& job, Json& answer);
  void Round(LaneState& lane);
  void OnStep(const JobPtr& job, const Json& step);
  void Tell(const JobPtr& job, std::vector<TapeEvent> events);
  void Finish(const JobPtr& job, const Json& step);
  void Publish(const JobPtr& job, const std::vector<Call>& calls);
  void Fail(const JobPtr& job, const WireError& error, Outcome outcome);
  void Drop(const JobPtr& job);
  void Settle(const JobPtr& job, Outcome outcome);
  void CloseGeneration(std::uint64_t generation);
  Json Ask(const Json& request);
  LaneState& LaneOf(const JobPtr& job) { return lanes_[static_cast<int>(job->route.lane)]; }
  bool IsRunning() const;

  const ServerOptions& options_;
  Ledger& ledger_;
  Registry& registry_;
  Rank* rank_ = nullptr;  // of the thread

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<JobPtr> arrived_;
  std::deque<Question> questions_;
  bool poked_ = false;
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint64_t> queued_{0};

  // The thread's own.
  std::array<LaneState, std::size(kLaneNames)> lanes_;
  bool settled_ = false;  // something, since the last wait: its place is free
  Clock::time_point next_round_{}, grace_ends_ = Clock::time_point::max();
  std::thread thread_;
};

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_SCHEDULER_H_
