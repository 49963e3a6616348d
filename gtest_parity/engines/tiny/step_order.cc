#include "gtest_parity/engines/tiny/step_order.h"

#include <string>

#include "gtest_parity/engines/tiny/error.h"
#include "gtest_parity/engines/tiny/stage.h"

namespace parity::tiny {

void StepOrder::Stage(const parity_step& step) {
  if (!finished_) {
    throw RefusedError({"step_finished", "the step before has run to its end", "{}"},
                       "a step is staged before the one before it has run to its end");
  }
  for (std::uint64_t i = 0; i < step.sequence_count; ++i) {
    const parity_sequence& sequence = SequenceOf(step, i);
    const auto found = lengths_.find(sequence.slot);
    const std::uint64_t length = found == lengths_.end() ? 0 : found->second;
    if (sequence.past == length) continue;
    const std::string operands = "{\"slot\": " + std::to_string(sequence.slot) +
                                 ", \"past\": " + std::to_string(sequence.past) +
                                 ", \"length\": " + std::to_string(length) + "}";
    throw RefusedError({"step_order", "past == length", operands},
                       "slot " + std::to_string(sequence.slot) + " holds " +
                           std::to_string(length) + " tokens, the step comes after " +
                           std::to_string(sequence.past));
  }
  for (std::uint64_t i = 0; i < step.sequence_count; ++i) {
    const parity_sequence& sequence = SequenceOf(step, i);
    lengths_[sequence.slot] = sequence.past + sequence.rows;
  }
  finished_ = false;
}

}  // namespace parity::tiny
