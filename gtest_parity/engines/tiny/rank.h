// One rank of a tiny engine: its memory, its staged step, and running ops of its programs.
#ifndef GTEST_PARITY_ENGINES_TINY_RANK_H_
#define GTEST_PARITY_ENGINES_TINY_RANK_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/engines/tiny/engine_config.h"
#include "gtest_parity/engines/tiny/kv_view.h"
#include "gtest_parity/engines/tiny/memory.h"
#include "gtest_parity/engines/tiny/mutant.h"
#include "gtest_parity/engines/tiny/slots.h"
#include "gtest_parity/engines/tiny/spec.h"
#include "gtest_parity/engines/tiny/step_order.h"
#include "gtest_parity/engines/tiny/taps.h"

namespace parity::tiny {

// Every function but Cancel throws EngineError.
class Rank {
 public:
  // Loads this rank's weights and runs the `once` programs. `args` has been checked.
  Rank(const parity_create_args& args, const EngineConfig& config, EngineSpec spec,
       std::unique_ptr<Backend> backend);

  void Stage(const parity_step& step);
  // Runs ops [lo, hi) of the staged program (a `once` program needs no step).
  void Run(const std::string& name, std::uint32_t lo, std::uint32_t hi);
  // The whole program: as a captured graph where the configuration says so.
  void RunGraph(const std::string& name);
  // Runs a staged program whole and shows what the taps ask for as it is produced.
  void RunTapped(const std::string& name, const Taps& taps);
  // A tensor as the harness may reach it: of a PARITY_TAP_ONLY engine what a program leaves for its
  // caller, as all else is its own between calls.
  Operand Reach(parity_kind kind, const std::string& name) const;
  // As after construction. Counters and a noisy mutant's generator go on: neither is engine state.
  void Reset();
  // Between a tensor and the `canonical` that its view of that name shows, `bytes` long.
  void ExportView(parity_kind kind, const std::string& view, void* canonical, std::uint64_t bytes);
  void ImportView(parity_kind kind, const std::string& view, const void* canonical,
                  std::uint64_t bytes);
  // From any thread: the current call ends between two ops.
  void Cancel() {
    cancelled_ = true;
    backend_->Cancel();
  }

  const Memory& memory() const { return memory_; }
  Slots& slots() { return slots_; }
  const EngineSpec& spec() const { return spec_; }
  std::uint32_t index() const { return rank_; }
  const parity_collective* collective() const { return collective_; }  // NULL with one rank
  std::uint64_t tokens() const { return tokens_; }  // rows of steps run to their end
  std::uint64_t runs() const { return runs_; }

 private:
  void RunOnce();
  void RunOps(const std::string& name, std::uint32_t lo, std::uint32_t hi, const Taps* taps);
  void Finish(const ProgramSpec& program, std::uint32_t lo, std::uint32_t hi);
  void RunOp(const ProgramSpec& program, std::uint32_t index, const Taps* taps);
  void Bind(const OpSpec& op);
  KvView FindView(parity_kind kind, const std::string& name, std::uint64_t bytes) const;

  EngineSpec spec_;
  std::unique_ptr<Backend> backend_;
  Memory memory_;
  std::optional<MutantRunner> mutant_;
  std::uint32_t rank_;
  const parity_collective* collective_;
  volatile std::uint64_t* progress_;
  OpArgs args_;  // of the op that runs; kept to reuse its memory
  std::string staged_program_, staged_run_;
  std::optional<StepOrder> order_;  // of a PARITY_SEQUENTIAL engine
  std::vector<StagedSequence> staged_;
  Slots slots_;
  ViewLie view_lie_ = ViewLie::kNone;
  bool graph_ = false;
  std::string fault_;
  std::atomic<bool> cancelled_{false};
  std::uint64_t tokens_ = 0, runs_ = 0;
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_RANK_H_
