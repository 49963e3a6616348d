#include "gtest_parity/engines/llama_cpp/step.h"

#include <set>

#include "gtest_parity/engines/llama_cpp/error.h"

namespace parity::llama_cpp {
namespace {

void CheckWithin(const std::string& what, std::uint64_t value, std::uint64_t min,
                 std::uint64_t max) {
  if (value >= min && value <= max) return;
  throw Invalid(what + " is " + std::to_string(value) + ", expected " + std::to_string(min) +
                " to " + std::to_string(max));
}

// The array's stride is its owner's idea of the struct's size.
const parity_sequence& SequenceOf(const parity_step& step, std::uint64_t index) {
  const auto* first = reinterpret_cast<const char*>(step.sequences);
  return *reinterpret_cast<const parity_sequence*>(first + index * step.sequences->struct_size);
}

void CheckTotals(const parity_step& step, const EngineLimits& limits) {
  const std::string program = step.program == nullptr ? "" : step.program;
  if (program != "prefill" && program != "decode") {
    throw Invalid("step.program is \"" + program + "\", known are prefill, decode");
  }
  CheckWithin("step.rows", step.rows, 1, limits.rows);
  CheckWithin("step.sequence_count", step.sequence_count, 1, limits.sequences);
  if (step.tokens == nullptr || step.positions == nullptr || step.sequences == nullptr) {
    throw Invalid("step.tokens, positions and sequences must not be NULL");
  }
  if (step.sequences->struct_size < sizeof(parity_sequence)) {
    throw Invalid("step.sequences[0].struct_size is " +
                  std::to_string(step.sequences->struct_size) + ", expected at least " +
                  std::to_string(sizeof(parity_sequence)));
  }
}

void CheckContext(const StepSequence& sequence, std::uint64_t context) {
  if (sequence.past <= context && sequence.rows <= context - sequence.past) return;
  const std::string operands = "{\"past\": " + std::to_string(sequence.past) +
                               ", \"rows\": " + std::to_string(sequence.rows) +
                               ", \"context\": " + std::to_string(context) + "}";
  throw RefusedError({"context_limit", "past + rows <= context", operands},
                     "slot " + std::to_string(sequence.slot) + ": past " +
                         std::to_string(sequence.past) + " and rows " +
                         std::to_string(sequence.rows) + " exceed config.context, which is " +
                         std::to_string(context));
}

void CheckRows(const Step& step, const StepSequence& sequence, std::uint64_t vocabulary) {
  for (std::uint64_t i = 0; i < sequence.rows; ++i) {
    const std::uint64_t row = sequence.first_row + i;
    const std::string at = "[" + std::to_string(row) + "] is ";
    if (step.tokens[row] < 0 || static_cast<std::uint64_t>(step.tokens[row]) >= vocabulary) {
      throw Invalid("step.tokens" + at + std::to_string(step.tokens[row]) + ", expected 0 to " +
                    std::to_string(vocabulary - 1));
    }
    const std::uint64_t expected = sequence.past + i;
    if (step.positions[row] >= 0 && static_cast<std::uint64_t>(step.positions[row]) == expected) {
      continue;
    }
    throw Invalid("step.positions" + at + std::to_string(step.positions[row]) + ", expected " +
                  std::to_string(expected));
  }
}

}  // namespace

Step CopyStep(const parity_step& step, const EngineLimits& limits) {
  CheckTotals(step, limits);
  Step copy;
  copy.program = step.program;
  copy.tokens.assign(step.tokens, step.tokens + step.rows);
  copy.positions.assign(step.positions, step.positions + step.rows);
  std::set<std::uint32_t> slots;
  std::uint64_t rows = 0;
  for (std::uint64_t i = 0; i < step.sequence_count; ++i) {
    const parity_sequence& sequence = SequenceOf(step, i);
    const std::string where = "step.sequences[" + std::to_string(i) + "]";
    CheckWithin(where + ".rows", sequence.rows, 1, step.rows - rows);
    CheckWithin(where + ".slot", sequence.slot, 0, limits.sequences - 1);
    if (!slots.insert(sequence.slot).second) {
      throw Invalid(where + ".slot is " + std::to_string(sequence.slot) +
                    ", which another sequence of the step occupies");
    }
    copy.sequences.push_back({sequence.slot, sequence.past, sequence.rows, rows});
    CheckContext(copy.sequences.back(), limits.context);
    CheckRows(copy, copy.sequences.back(), limits.vocabulary);
    rows += sequence.rows;
  }
  if (rows == step.rows) return copy;
  throw Invalid("step.rows is " + std::to_string(step.rows) + ", its sequences have " +
                std::to_string(rows));
}

void Slots::Stage(const Step& step) {
  if (!finished_) {
    throw RefusedError({"step_finished", "the step before has run to its end", "{}"},
                       "a step is staged before the one before it has run to its end");
  }
  for (const StepSequence& sequence : step.sequences) {
    const std::uint64_t length = Of(sequence.slot).size();
    if (sequence.past == length) continue;
    const std::string operands = "{\"slot\": " + std::to_string(sequence.slot) +
                                 ", \"past\": " + std::to_string(sequence.past) +
                                 ", \"length\": " + std::to_string(length) + "}";
    throw RefusedError({"step_order", "past == length", operands},
                       "slot " + std::to_string(sequence.slot) + " holds " +
                           std::to_string(length) + " tokens, the step comes after " +
                           std::to_string(sequence.past));
  }
  finished_ = false;
}

void Slots::Finish(const Step& step) {
  finished_ = true;
  for (const StepSequence& sequence : step.sequences) {
    std::vector<std::int32_t>& tokens = tokens_[sequence.slot];
    tokens.resize(sequence.past);
    const auto first = step.tokens.begin() + static_cast<std::ptrdiff_t>(sequence.first_row);
    tokens.insert(tokens.end(), first, first + static_cast<std::ptrdiff_t>(sequence.rows));
  }
}

void Slots::Set(std::uint32_t slot, std::vector<std::int32_t> tokens) {
  tokens_[slot] = std::move(tokens);
}

const std::vector<std::int32_t>& Slots::Of(std::uint32_t slot) const {
  static const std::vector<std::int32_t> kNone;
  const auto found = tokens_.find(slot);
  return found == tokens_.end() ? kNone : found->second;
}

}  // namespace parity::llama_cpp
