#include "gtest_parity/engines/tiny/serve/saved_states.h"

#include <utility>

#include "gtest_parity/engines/tiny/error.h"
#include "gtest_parity/engines/tiny/serve/cache_rows.h"
#include "gtest_parity/engines/tiny/serve/faulty_states.h"
#include "gtest_parity/engines/tiny/serve/kv_shape.h"
#include "gtest_parity/engines/tiny/stage.h"

namespace parity::tiny {
namespace {

RefusedError Refused(const std::string& call, std::uint32_t slot, const std::string& why) {
  const std::string operands = "{\"slot\": " + std::to_string(slot) + "}";
  const std::string condition =
      call == "save_state" ? "the file is written" : "the state is one of this engine";
  return {{why, condition, operands},
          call + ": slot " + std::to_string(slot) + ": " + why + ", see docs/serving.md"};
}

void Broadcast(const Rank& rank, void* data, std::uint64_t bytes) {
  const parity_collective* all = rank.collective();
  if (all == nullptr || bytes == 0) return;
  const parity_status status = all->broadcast(all->context, 0, data, bytes);
  if (status != PARITY_OK) throw EngineError(status, "a slot's state: a collective failed");
}

}  // namespace

SavedStates::SavedStates(Rank& rank, const EngineConfig& config, const KvImplementation& kv)
    : rank_(rank),
      kv_(kv),
      shape_(KvShapeOf(rank.spec(), KvKnobsOf(config), config.activation)),
      mutant_(MutantOf(config)) {}

void SavedStates::Save(std::uint32_t slot, const std::string& path) {
  const Slot* held = rank_.slots().Find(slot);
  if (held == nullptr) {
    throw Invalid("save_state: slot " + std::to_string(slot) +
                  " holds no tokens that are known, expected one that steps have begun");
  }
  KvSnapshot snapshot;
  snapshot.tokens = held->tokens;
  const auto loaded = loaded_.find(slot);
  if (loaded != loaded_.end()) {
    snapshot.rows = loaded->second.rows;
  } else {
    snapshot.rows.resize(CacheRowsBytes(rank_, held->tokens.size()));
    GatherRows(rank_, kv_.row, held->at, rank_.index() == 0 ? snapshot.rows.data() : nullptr);
  }
  std::string why;
  if (rank_.index() == 0) why = kv_.save(path, shape_, snapshot);
  KvSnapshot nothing;
  Share(nothing, why);
  if (!why.empty()) throw Refused("save_state", slot, why);
}

// Rank 0's, on every rank.
void SavedStates::Share(KvSnapshot& snapshot, std::string& why) {
  std::uint64_t sizes[] = {why.size(), snapshot.tokens.size(), snapshot.rows.size()};
  Broadcast(rank_, sizes, sizeof(sizes));
  why.resize(sizes[0]);
  snapshot.tokens.resize(sizes[1]);
  snapshot.rows.resize(sizes[2]);
  Broadcast(rank_, why.data(), why.size());
  Broadcast(rank_, snapshot.tokens.data(), sizes[1] * sizeof(std::int32_t));
  Broadcast(rank_, snapshot.rows.data(), sizes[2]);
}

std::string SavedStates::Read(const std::string& path, KvSnapshot& out) const {
  KvShape shape = shape_;
  if (mutant_ == "state_any_kv_type") TakeTheFilesElement(path, shape);
  std::string why = kv_.load(path, shape, out);
  if (!why.empty()) return why;
  // Of a right engine they are as long as that already.
  out.rows.resize(CacheRowsBytes(rank_, out.tokens.size()));
  return "";
}

std::uint64_t SavedStates::Load(std::uint32_t slot, const std::string& path) {
  KvSnapshot snapshot;
  std::string why;
  if (rank_.index() == 0) why = Read(path, snapshot);
  Share(snapshot, why);
  // What was there is gone whatever comes of it: nobody may go on in half of a state.
  loaded_.erase(slot);
  rank_.slots().Empty(slot);
  if (!why.empty()) {
    broken_ = mutant_ == "state_refusal_sticks";
    throw Refused("load_state", slot, why);
  }
  const std::uint64_t tokens = snapshot.tokens.size();
  rank_.slots().Put(slot, {snapshot.tokens, {slot, 0, {}}});
  if (std::uint32_t at = slot; SpoilState(mutant_, at, snapshot)) {
    loaded_[at] = std::move(snapshot);
  }
  return tokens;
}

void SavedStates::OnStage(const parity_step& step) {
  if (broken_) throw Failed("stage: a state was refused, and nothing can be done any more");
  const std::vector<StagedSequence> sequences = SequencesOf(step);
  for (std::uint64_t i = 0; i < step.sequence_count; ++i) {
    const parity_sequence& sequence = SequenceOf(step, i);
    const auto found = loaded_.find(sequence.slot);
    if (found == loaded_.end()) continue;
    const std::uint64_t tokens = found->second.tokens.size();
    if (sequence.past != 0 && sequence.past != tokens) {
      throw Invalid("step.sequences[" + std::to_string(i) + "].past is " +
                    std::to_string(sequence.past) + ", slot " + std::to_string(sequence.slot) +
                    " was loaded with " + std::to_string(tokens) + " tokens");
    }
    StagedSequence at = sequences[i];
    at.length = tokens;
    if (sequence.past != 0) {
      ScatterRows(rank_, kv_.row, at, found->second.rows.data());
      rank_.slots().Put(sequence.slot, {found->second.tokens, at});
    }
    loaded_.erase(found);
  }
}

}  // namespace parity::tiny
