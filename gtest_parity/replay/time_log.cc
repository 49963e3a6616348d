#include "gtest_parity/replay/time_log.h"

#include <algorithm>
#include <utility>

namespace parity {
namespace {

class TimedSide : public Side {
 public:
  TimedSide(std::unique_ptr<Side> side, TimeLog& log) : side_(std::move(side)), log_(log) {}

  std::vector<Results> Run(const std::vector<Script>& scripts) override {
    std::vector<Results> results = side_->Run(scripts);
    log_.Take(scripts, results);
    return results;
  }
  bool alive() const override { return side_->alive(); }
  bool is_evidence() const override { return side_->is_evidence(); }
  std::string provenance() const override { return side_->provenance(); }
  std::vector<std::string> MappedObjects() const override { return side_->MappedObjects(); }
  std::string OutputTail() const override { return side_->OutputTail(); }

 private:
  std::unique_ptr<Side> side_;
  TimeLog& log_;
};

// (largest - smallest) / median.
double SpreadOf(const std::vector<double>& samples) {
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  const double median = Median(samples);
  return median > 0 ? (*most - *least) / median : 0;
}

}  // namespace

void TimeLog::Take(const std::vector<Script>& scripts, const std::vector<Results>& results) {
  for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
    std::string run;
    const std::vector<Instruction>& instructions = scripts[rank].instructions();
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      const Instruction& at = instructions[i];
      if (at.what == Do::kStage) run = at.step->run;
      if (at.what != Do::kRun) continue;
      auto& ranks = times_[{at.program, at.lo, at.hi, at.whole}][run];
      if (ranks.size() <= rank) ranks.resize(rank + 1);
      ranks[rank].push_back(results[rank][i].seconds);
    }
  }
}

const Times& TimeLog::Of(const TimedOps& ops) const {
  static const Times none;
  const auto found = times_.find(ops);
  return found == times_.end() ? none : found->second;
}

std::unique_ptr<Side> Timed(std::unique_ptr<Side> side, TimeLog& log) {
  return std::make_unique<TimedSide>(std::move(side), log);
}

double Median(std::vector<double> samples) {
  if (samples.empty()) return 0;
  std::sort(samples.begin(), samples.end());
  const std::size_t half = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
}

std::optional<TimeFigure> FigureOf(const Times& times, const Times& other) {
  std::vector<TimeFigure> figures;
  std::vector<std::vector<double>> spreads;
  for (const auto& [run, ranks] : times) {
    if (!other.contains(run)) continue;
    figures.resize(std::max(figures.size(), ranks.size()));
    spreads.resize(figures.size());
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      if (ranks[rank].empty()) continue;
      figures[rank].rank = static_cast<int>(rank);
      figures[rank].seconds += Median(ranks[rank]);
      figures[rank].runs.push_back(run);
      figures[rank].samples += ranks[rank].size();
      spreads[rank].push_back(SpreadOf(ranks[rank]));
    }
  }
  const auto slowest = std::max_element(
      figures.begin(), figures.end(),
      [](const TimeFigure& a, const TimeFigure& b) { return a.seconds < b.seconds; });
  if (slowest == figures.end() || slowest->samples == 0) return std::nullopt;
  slowest->spread = Median(spreads[static_cast<std::size_t>(slowest->rank)]);
  return *slowest;
}

}  // namespace parity
