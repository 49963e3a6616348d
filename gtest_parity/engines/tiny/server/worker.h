// The one thread that owns a rank; all others hand it their requests.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_WORKER_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_WORKER_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <thread>

#include "gtest_parity/engine/rank.h"

namespace parity {

class Worker {
 public:
  // Loads the engine in the new thread. Throws EngineError.
  Worker(const std::string& plugin, const std::string& engine, const std::string& config);
  ~Worker();  // behind what has been asked
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Both wait for their turn, and throw EngineError.
  std::string Serve(const std::string& request);
  std::string Counters();

 private:
  using Job = std::packaged_task<std::string(Rank&)>;
  void Run(const parity_engine_api& api, const std::string& config, std::promise<void>& ready);
  std::string Do(std::function<std::string(Rank&)> job);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace parity

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_WORKER_H_
