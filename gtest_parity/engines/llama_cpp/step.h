// A staged step: the engine's own copy, checked, and the order that steps must come in.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_STEP_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_STEP_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/engines/llama_cpp/description.h"

namespace parity::llama_cpp {

struct StepSequence {
  std::uint32_t slot = 0;
  std::uint64_t past = 0, rows = 0;
  std::uint64_t first_row = 0;  // in the step

  bool operator==(const StepSequence&) const = default;
};

struct Step {
  std::string program;
  std::vector<std::int32_t> tokens, positions;  // [rows]
  std::vector<StepSequence> sequences;

  std::uint64_t rows() const { return tokens.size(); }
};

// Throws EngineError: PARITY_INVALID if the step breaks the contract of engine.h or is larger than
// the engine, RefusedError by guard `context_limit` if a sequence outgrows the context.
Step CopyStep(const parity_step& step, const EngineLimits& limits);

// What each slot holds. llama.cpp keeps its own place in each sequence, so steps come in order.
class Slots {
 public:
  // Throws RefusedError, and changes nothing, unless the step before has run to its end and every
  // sequence goes on where its slot stands. A sequence that begins anew takes an empty slot.
  void Stage(const Step& step);
  // The staged step has run to its end.
  void Finish(const Step& step);
  void Set(std::uint32_t slot, std::vector<std::int32_t> tokens);
  const std::vector<std::int32_t>& Of(std::uint32_t slot) const;
  bool finished() const { return finished_; }

 private:
  std::map<std::uint32_t, std::vector<std::int32_t>> tokens_;
  bool finished_ = true;
};

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_STEP_H_
