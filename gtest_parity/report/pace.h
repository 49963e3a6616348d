// How often to do again what grows with a run.
#ifndef GTEST_PARITY_REPORT_PACE_H_
#define GTEST_PARITY_REPORT_PACE_H_

#include <algorithm>
#include <chrono>

namespace parity {

// At most once a second, and in at most a twentieth of the time: however large the reports become,
// rewriting them stays a fixed share of the run.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  bool Due(Clock::time_point now) const { return now >= next_; }
  // It was done from `begun` to `ended`.
  void Done(Clock::time_point begun, Clock::time_point ended) {
    next_ = ended + std::max<Clock::duration>(std::chrono::seconds(1), 19 * (ended - begun));
  }

 private:
  Clock::time_point next_{};
};

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_PACE_H_
