#include "gtest_parity/engines/tiny/slots.h"

#include <utility>

#include "gtest_parity/engines/tiny/stage.h"

namespace parity::tiny {

void Slots::Stage(const parity_step& step) {
  staged_.clear();
  const std::vector<StagedSequence> sequences = SequencesOf(step);
  const std::int32_t* tokens = step.tokens;
  for (std::uint64_t i = 0; i < step.sequence_count; ++i) {
    const parity_sequence& sequence = SequenceOf(step, i);
    staged_.push_back({sequence.past, {tokens, tokens + sequence.rows}, sequences[i]});
    tokens += sequence.rows;
  }
}

void Slots::Finish() {
  for (const Coming& coming : staged_) {
    std::vector<std::int32_t> tokens;
    if (const Slot* slot = Find(coming.at.slot)) tokens = slot->tokens;
    if (tokens.size() < coming.past) {
      slots_.erase(coming.at.slot);
      continue;
    }
    tokens.resize(coming.past);
    tokens.insert(tokens.end(), coming.tokens.begin(), coming.tokens.end());
    slots_[coming.at.slot] = {std::move(tokens), coming.at};
  }
}

const Slot* Slots::Find(std::uint32_t slot) const {
  const auto found = slots_.find(slot);
  return found == slots_.end() ? nullptr : &found->second;
}

void Slots::Clear() {
  staged_.clear();
  slots_.clear();
}

}  // namespace parity::tiny
