// The candidate's process, and a fresh one after each death.
#ifndef GTEST_PARITY_SESSION_CANDIDATE_H_
#define GTEST_PARITY_SESSION_CANDIDATE_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "gtest_parity/side/side.h"

namespace parity {

// Counts deaths. After kEqualDeaths alike (cause, op and program) or kAllDeaths in all the
// candidate is not started again.
class Candidate {
 public:
  static constexpr int kEqualDeaths = 3;
  static constexpr int kAllDeaths = 10;

  explicit Candidate(std::function<std::unique_ptr<Side>()> start) : start_(std::move(start)) {}

  // A living side. Throws SetupError or SideFailure where it does not start.
  Side& Get();
  // To be told of every SideFailure of the side: a process that ended is replaced at the next Get.
  void OnFailure(const Death& death);
  // "not run: candidate died 3 times (signal SIGSEGV in layer0.attention)", once it was too often.
  const std::optional<std::string>& given_up() const { return given_up_; }
  int deaths() const { return deaths_; }
  // Of the living side, or of the last one.
  std::string OutputTail() const { return side_ ? side_->OutputTail() : last_tail_; }
  void Stop();

 private:
  std::function<std::unique_ptr<Side>()> start_;
  std::unique_ptr<Side> side_;
  std::map<std::string, int> deaths_by_kind_;
  int deaths_ = 0;
  std::string last_tail_;
  std::optional<std::string> given_up_;
};

}  // namespace parity

#endif  // GTEST_PARITY_SESSION_CANDIDATE_H_
