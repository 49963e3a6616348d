// Runs scripts on one rank, where the bytes are.
#ifndef GTEST_PARITY_SIDE_EXECUTOR_H_
#define GTEST_PARITY_SIDE_EXECUTOR_H_

#include <vector>

#include "gtest_parity/device/pages.h"
#include "gtest_parity/engine/rank.h"
#include "gtest_parity/side/progress.h"
#include "gtest_parity/side/rank_memory.h"
#include "gtest_parity/side/script.h"
#include "gtest_parity/side/watch.h"

namespace parity {

class Executor {
 public:
  // `watched`: every tensor that no op may touch unasked. All arguments outlive this object.
  Executor(Rank& rank, PageStore& pages, const std::vector<WatchedTensor>& watched,
           RankProgress& progress);

  // Throws EngineError where the engine does not return PARITY_OK or its memory has another size
  // than the recording's; results of the instructions before that are lost.
  Results Execute(const std::vector<Instruction>& script);

 private:
  Result Execute(const Instruction& instruction, const Results& before);
  Result Compare(const Instruction& instruction, const Results& before);
  // The comparisons of elements from `first` on that no other instruction parts, asked all at once,
  // into their places in `results`. Returns the index of the last.
  std::size_t CompareElementsFrom(const std::vector<Instruction>& script, std::size_t first,
                                  Results& results);
  // What is no question about the engine's memory.
  Result Inquire(const Instruction& instruction);
  Result KeepState(const Instruction& instruction);
  void Stage(const Step& step);
  Result Run(const Instruction& instruction);
  // The run at `at` of the script, and the instructions at its taps, into their places in
  // `results`.
  void RunTapped(const std::vector<Instruction>& script, std::size_t at, Results& results);
  void FillPoison(const Instruction& instruction);

  Rank& rank_;
  RankMemory memory_;
  Watch watch_;
  RankProgress& progress_;
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_EXECUTOR_H_
