// What the harness looks at while a program runs whole.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_TAPS_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_TAPS_H_

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/engines/llama_cpp/description.h"
#include "gtest_parity/engines/llama_cpp/host_buffer.h"
#include "gtest_parity/engines/llama_cpp/observer.h"
#include "gtest_parity/engines/llama_cpp/row_order.h"

namespace parity::llama_cpp {

class Taps {
 public:
  // Throws EngineError: PARITY_INVALID for an op that there is not, a buffer that it does not write
  // or a tap given twice, PARITY_UNSUPPORTED for a state.
  Taps(std::span<const parity_tap> taps, parity_tap_callback callback, void* user,
       const std::vector<Cut>& cuts);

  bool At(std::size_t cut) const { return by_cut_.contains(cut); }
  // Cuts that are tapped, in their order.
  const std::map<std::size_t, std::uint32_t>& by_cut() const { return by_cut_; }
  // Throws EngineError (PARITY_CANCELLED) where the harness ends the run.
  void Show(std::size_t cut, HostBuffer* values) const;

 private:
  std::span<const parity_tap> taps_;
  parity_tap_callback callback_;
  void* user_;
  std::map<std::size_t, std::uint32_t> by_cut_;  // index of the tap
};

// Of a step that one graph computes: each value is shown, and taken over, before anything reads it.
class ShowingVisitor : public CutVisitor {
 public:
  ShowingVisitor(const Taps& taps, const std::vector<Cut>& cuts, const PieceRows& rows,
                 volatile std::uint64_t* progress);
  ~ShowingVisitor() override { Progress(0); }

  bool Wants(std::size_t cut) override { return taps_.At(cut); }
  void Visit(std::size_t piece, std::size_t cut, ggml_tensor& value) override;

 private:
  void Progress(std::uint64_t word) const {
    if (progress_ != nullptr) *progress_ = word;
  }

  const Taps& taps_;
  const std::vector<Cut>& cuts_;
  const PieceRows& rows_;
  volatile std::uint64_t* progress_;
};

// Of a step that several graphs compute one after the other: a value is whole when the last has
// computed its rows, and the first has long read its own. So the step is computed again: `forced`
// values are put in the place of those that are computed, the others are gathered.
class ForcingVisitor : public CutVisitor {
 public:
  // `values` by cut, for each that is tapped.
  ForcingVisitor(const Taps& taps, const std::vector<Cut>& cuts, const std::vector<PieceRows>& rows,
                 std::map<std::size_t, HostBuffer>* values, std::size_t forced);

  bool Wants(std::size_t cut) override { return taps_.At(cut); }
  void Visit(std::size_t piece, std::size_t cut, ggml_tensor& value) override;

 private:
  const Taps& taps_;
  const std::vector<Cut>& cuts_;
  const std::vector<PieceRows>& rows_;
  std::map<std::size_t, HostBuffer>* values_;
  std::size_t forced_;
};

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_TAPS_H_
