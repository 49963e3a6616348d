// The scheduler's thread: what comes in, what is due, and its end.
#include "gtest_parity/engines/tiny/server/scheduler.h"

#include <algorithm>
#include <utility>

#include "gtest_parity/engine/plugin.h"
#include "gtest_parity/engines/tiny/server/mutants.h"

namespace parity::tiny_server {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr char kStopping[] = "the server is shutting down";

void Count(Ledger& ledger, Shed shed) {
  ledger.Add([&](Figures& figures) { ++figures.sheds[static_cast<int>(shed)]; });
}

}  // namespace

Scheduler::Scheduler(const std::string& plugin, const std::string& engine,
                     const std::string& config, const ServerOptions& options, Ledger& ledger,
                     Registry& registry)
    : options_(options), ledger_(ledger), registry_(registry) {
  const parity_engine_api& api = Plugin(plugin).Find(engine);
  std::promise<void> ready;
  std::future<void> loaded = ready.get_future();
  thread_ = std::thread([this, &api, config, &ready] { Run(api, config, ready); });
  try {
    loaded.get();
  } catch (...) {
    thread_.join();
    throw;
  }
}

Scheduler::~Scheduler() { Stop(); }

void Scheduler::Submit(const JobPtr& job) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) throw WireError(503, kStopping);
    if (queued_ >= options_.max_queue) {
      Count(ledger_, Shed::kQueueDepth);
      throw WireError(429, "too many requests are waiting", "", "", 5);
    }
    job->arrived = Clock::now();
    ++queued_;
    ledger_.Add([&](Figures& figures) {
      ++figures.started;
      ++figures.queued;
      ++figures.reasons[static_cast<int>(job->route.reason)];
      ++figures.think_modes[static_cast<int>(job->intent.think)];
      if (job->intent.samples) ++figures.greedy_instead;
    });
    arrived_.push_back(job);
  }
  changed_.notify_one();
}

void Scheduler::Cancel(const JobPtr& job) {
  {
    const std::lock_guard lock(mutex_);
    job->canceled = true;
    poked_ = true;
  }
  changed_.notify_one();
}

std::string Scheduler::Counters() {
  Question question([](Rank& rank) { return rank.Counters(); });
  std::future<std::string> answer = question.get_future();
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) throw WireError(503, kStopping);
    questions_.push_back(std::move(question));
  }
  changed_.notify_one();
  return answer.get();
}

void Scheduler::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Scheduler::Run(const parity_engine_api& api, const std::string& config,
                    std::promise<void>& ready) {
  std::optional<Rank> rank;
  try {
    parity_create_args args = {};
    args.struct_size = sizeof(args);
    args.rank_count = 1;
    args.device = -1;
    args.config = config.c_str();
    rank.emplace(api, args);
  } catch (...) {
    ready.set_exception(std::current_exception());
    return;
  }
  rank_ = &*rank;
  ready.set_value();
  Serve();
}

void Scheduler::Serve() {
  while (Wait()) {
    TakeIn();
    DropTheCanceled();
    DropTheLate();
    for (const std::uint64_t generation : registry_.Sweep()) CloseGeneration(generation);
    Admit();
    if (Clock::now() < next_round_) continue;
    next_round_ = Clock::now() + microseconds(options_.pace_us);
    for (LaneState& lane : lanes_) Round(lane);
  }
  try {
    Ask({{"do", "stop"}});
  } catch (const EngineError&) {  // nothing is live in an engine that cannot serve
  }
}

bool Scheduler::IsRunning() const {
  return std::any_of(lanes_.begin(), lanes_.end(),
                     [](const LaneState& lane) { return !lane.running.empty(); });
}

Scheduler::Clock::time_point Scheduler::NextDue() const {
  Clock::time_point due = std::min(registry_.NextSweep(), grace_ends_);
  if (IsRunning()) due = std::min(due, next_round_);
  for (const LaneState& lane : lanes_) {
    for (const JobPtr& job : lane.waiting) {
      due = std::min(due, job->arrived + milliseconds(options_.queue_age_ms));
    }
  }
  for (const JobPtr& job : lanes_[static_cast<int>(ServedLane::kStatic)].waiting) {
    due = std::min(due, job->arrived + milliseconds(options_.gather_ms));
  }
  return due;
}

// Until there is something to do. False: the server stops, and nothing is under way.
bool Scheduler::Wait() {
  std::unique_lock lock(mutex_);
  const Clock::time_point due = std::exchange(settled_, false) ? Clock::now() : NextDue();
  const auto awake = [this] {
    return !arrived_.empty() || !questions_.empty() || std::exchange(poked_, false) ||
           (stopping_ && grace_ends_ == Clock::time_point::max());
  };
  // A wait until the end of time overflows.
  if (due == Clock::time_point::max()) {
    changed_.wait(lock, awake);
  } else {
    changed_.wait_until(lock, due, awake);
  }
  if (!stopping_) return true;
  if (grace_ends_ == Clock::time_point::max()) {
    grace_ends_ = Clock::now() + milliseconds(options_.grace_ms);
  }
  lock.unlock();
  EndAtOnce();
  return IsRunning();
}

// What waits, once the server stops; what is under way, once it has had its grace.
void Scheduler::EndAtOnce() {
  TakeIn();
  for (LaneState& lane : lanes_) {
    while (!lane.waiting.empty()) {
      Fail(lane.waiting.front(), WireError(503, kStopping), Outcome::kCanceled);
    }
    if (Clock::now() < grace_ends_) continue;
    while (!lane.running.empty()) {
      const JobPtr job = lane.running.front();
      if (Mutated(options_, Quirk::kShutdownCutsStreams)) {
        Drop(job);
      } else {
        Fail(job, WireError(503, kStopping), Outcome::kCanceled);
      }
    }
  }
}

void Scheduler::TakeIn() {
  std::deque<JobPtr> arrived;
  std::deque<Question> questions;
  {
    const std::lock_guard lock(mutex_);
    arrived.swap(arrived_);
    questions.swap(questions_);
  }
  for (const JobPtr& job : arrived) LaneOf(job).waiting.push_back(job);
  for (Question& question : questions) question(*rank_);
}

void Scheduler::DropTheCanceled() {
  if (Mutated(options_, Quirk::kRunsOn)) return;
  for (LaneState& lane : lanes_) {
    std::vector<JobPtr> canceled;
    for (const auto& job : lane.waiting) {
      if (job->canceled) canceled.push_back(job);
    }
    for (const auto& job : lane.running) {
      if (job->canceled) canceled.push_back(job);
    }
    for (const JobPtr& job : canceled) Drop(job);
  }
}

void Scheduler::DropTheLate() {
  const Clock::time_point now = Clock::now();
  for (LaneState& lane : lanes_) {
    while (!lane.waiting.empty() &&
           now >= lane.waiting.front()->arrived + milliseconds(options_.queue_age_ms)) {
      Count(ledger_, Shed::kQueueAge);
      Fail(lane.waiting.front(), WireError(503, "the request has waited too long", "", "", 5),
           Outcome::kRefused);
    }
    const std::vector<JobPtr> running = lane.running;
    for (const JobPtr& job : running) {
      if (job->mailbox.size() <= options_.backlog_events) continue;
      Count(ledger_, Shed::kSlowReader);
      Drop(job);
    }
  }
}

Json Scheduler::Ask(const Json& request) { return Json::parse(rank_->Serve(request.dump())); }

}  // namespace parity::tiny_server
