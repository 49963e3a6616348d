#include "gtest_parity/engines/tiny/serve/state_calls.h"

#include "gtest_parity/engines/tiny/plugin.h"
#include "gtest_parity/engines/tiny/serve/saved_states.h"

namespace parity::tiny {
namespace {

SavedStates& StatesOf(SavedState& saved, Rank& rank, const EngineConfig& config) {
  if (!saved.states) {
    saved.states = std::make_shared<SavedStates>(rank, config, *kEngine.kv);
    saved.on_stage = [states = saved.states.get()](const parity_step& step) {
      states->OnStage(step);
    };
    saved.forget = [states = saved.states.get()] { states->Forget(); };
  }
  return *saved.states;
}

}  // namespace

void SaveStateOf(SavedState& saved, Rank& rank, const EngineConfig& config, std::uint32_t slot,
                 const std::string& path) {
  StatesOf(saved, rank, config).Save(slot, path);
}

std::uint64_t LoadStateOf(SavedState& saved, Rank& rank, const EngineConfig& config,
                          std::uint32_t slot, const std::string& path) {
  return StatesOf(saved, rank, config).Load(slot, path);
}

}  // namespace parity::tiny
