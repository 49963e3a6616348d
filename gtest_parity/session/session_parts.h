// What the parts of Session share.
#ifndef GTEST_PARITY_SESSION_SESSION_PARTS_H_
#define GTEST_PARITY_SESSION_SESSION_PARTS_H_

#include <chrono>
#include <string>

#include "gtest_parity/judge/verdict.h"

namespace parity {

// Adds the time until it goes out of scope.
class Timer {
 public:
  explicit Timer(double& seconds) : seconds_(seconds) {}
  ~Timer() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  double& seconds_;
  Clock::time_point begin_ = Clock::now();
};

// The verdict where nothing could be compared.
inline Verdict TroubleVerdict(Outcome outcome, const std::string& summary) {
  Verdict verdict;
  verdict.outcome = outcome;
  verdict.summary = summary;
  verdict.findings.push_back(summary);
  return verdict;
}

}  // namespace parity

#endif  // GTEST_PARITY_SESSION_SESSION_PARTS_H_
