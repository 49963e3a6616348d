// What the connections of one play tell one another.
#ifndef GTEST_PARITY_SUITES_WIRE_CLIENT_SIGNALS_H_
#define GTEST_PARITY_SUITES_WIRE_CLIENT_SIGNALS_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace parity::wire {

class Signals {
 public:
  void Tell(const std::string& name) {
    {
      const std::lock_guard lock(mutex_);
      ++told_[name];
    }
    changed_.notify_all();
  }

  // False where `name` was not told so often until then.
  bool Hear(const std::string& name, std::uint64_t times,
            std::chrono::steady_clock::time_point until) {
    std::unique_lock lock(mutex_);
    return changed_.wait_until(lock, until, [&] { return told_[name] >= times; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::uint64_t> told_;
};

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CLIENT_SIGNALS_H_
