#include "gtest_parity/engines/tiny/server/worker.h"

#include <utility>

#include "gtest_parity/engine/plugin.h"

namespace parity {

Worker::Worker(const std::string& plugin, const std::string& engine, const std::string& config) {
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

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Worker::Run(const parity_engine_api& api, const std::string& config,
                 std::promise<void>& ready) try {
  parity_create_args args = {};
  args.struct_size = sizeof(args);
  args.rank_count = 1;
  args.device = -1;
  args.config = config.c_str();
  Rank rank(api, args);
  ready.set_value();
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return over_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job(rank);
  }
} catch (...) {  // only `create` throws: a job keeps what it throws
  ready.set_exception(std::current_exception());
}

std::string Worker::Do(std::function<std::string(Rank&)> work) {
  Job job(std::move(work));
  std::future<std::string> answer = job.get_future();
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
  return answer.get();
}

std::string Worker::Serve(const std::string& request) {
  return Do([&request](Rank& rank) { return rank.Serve(request); });
}

std::string Worker::Counters() {
  return Do([](Rank& rank) { return rank.Counters(); });
}

}  // namespace parity
