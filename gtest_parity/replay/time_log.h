// How long ops took, measured where they ran. Evidence beside the verdict, never part of it.
#ifndef GTEST_PARITY_REPLAY_TIME_LOG_H_
#define GTEST_PARITY_REPLAY_TIME_LOG_H_

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/side/side.h"

namespace parity {

// Seconds of each repeat, by the run that was staged and by rank.
using Times = std::map<std::string, std::vector<std::vector<double>>>;

// Which ops ran together; `whole`: as served.
struct TimedOps {
  std::string program;
  std::uint32_t lo = 0, hi = 0;
  bool whole = false;
  auto operator<=>(const TimedOps&) const = default;
};

class TimeLog {
 public:
  TimeLog() = default;
  explicit TimeLog(std::map<TimedOps, Times> times) : times_(std::move(times)) {}
  const std::map<TimedOps, Times>& all() const { return times_; }
  void Take(const std::vector<Script>& scripts, const std::vector<Results>& results);
  // Nothing ran: an empty one.
  const Times& Of(const TimedOps& ops) const;
  void Clear() { times_.clear(); }

 private:
  std::map<TimedOps, Times> times_;
};

// A side whose runs are logged, whoever drives it. `log` outlives what is made.
std::unique_ptr<Side> Timed(std::unique_ptr<Side> side, TimeLog& log);

// Middle of the sorted samples, the mean of the two middle ones of an even number; 0: none.
double Median(std::vector<double> samples);

// A side's times over some runs, once each.
struct TimeFigure {
  double seconds = 0;  // sum over runs of the median of repeats, on the slowest rank
  int rank = 0;        // the slowest, by that sum
  // Of that rank's repeats: (largest - smallest) / median, the median over runs. 0: one repeat.
  double spread = 0;
  std::vector<std::string> runs;
  std::size_t samples = 0;  // over all runs of that rank
};

// Over the runs that `other` has too; nothing where there are none.
std::optional<TimeFigure> FigureOf(const Times& times, const Times& other);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_TIME_LOG_H_
