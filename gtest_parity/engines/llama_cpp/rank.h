// The one rank of this engine: its staged step, and running programs whole.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_RANK_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_RANK_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/engines/llama_cpp/engine.h"
#include "gtest_parity/engines/llama_cpp/host_buffer.h"
#include "gtest_parity/engines/llama_cpp/observer.h"
#include "gtest_parity/engines/llama_cpp/row_order.h"
#include "gtest_parity/engines/llama_cpp/step.h"
#include "gtest_parity/engines/llama_cpp/taps.h"

namespace parity::llama_cpp {

// Every function but Cancel throws EngineError.
class Rank {
 public:
  Rank(Engine engine, volatile std::uint64_t* progress);

  void Stage(const parity_step& step);
  // [lo, hi) must be the whole program.
  void Run(const std::string& program, std::uint32_t lo, std::uint32_t hi);
  void RunTapped(const std::string& program, std::span<const parity_tap> taps,
                 parity_tap_callback callback, void* user);
  // Of the logits, once a program has run.
  parity_region Region(parity_kind kind, const std::string& name);
  void Reset();
  void Cancel() { engine_.session->Cancel(); }
  void SaveState(std::uint32_t slot, const std::string& path);
  // Returns how many tokens the slot holds now. What llama.cpp declines leaves it empty.
  std::uint64_t LoadState(std::uint32_t slot, const std::string& path);
  // A JSON object.
  std::string Counters() const;

  const llama_vocab* vocabulary() const { return engine_.session->vocabulary(); }

 private:
  using Shape = std::vector<std::pair<std::uint32_t, std::uint64_t>>;  // slot and rows of sequences

  void ExpectStaged(const std::string& program) const;
  // What is decoded together: all of the step's sequences, or so many as the configuration says.
  std::vector<std::span<const StepSequence>> Decodes() const;
  // Computes the staged step from where it begins, whatever was computed of it before.
  void Compute(Observer* observer, const std::vector<PieceRows>* expected);
  void TakeLogits(std::span<const StepSequence> decoded);
  const std::vector<PieceRows>& RowsOfPieces();
  void RunInPieces(const Taps& taps, const std::vector<PieceRows>& rows);
  void Finish();

  Engine engine_;
  EngineLimits limits_;
  volatile std::uint64_t* progress_;
  Slots slots_;
  std::optional<Step> step_;
  std::map<Shape, std::vector<PieceRows>> rows_of_pieces_;
  std::vector<PieceRows> seen_;  // of the last computation that was observed
  HostBuffer logits_;
  std::uint64_t steps_ = 0, decodes_ = 0, rows_ = 0, pieces_ = 0, nodes_ = 0;
};

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_RANK_H_
