// The ABI's `save_state` and `load_state` of a rank, as its plugin keeps them.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_STATE_CALLS_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_STATE_CALLS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "gtest_parity/engines/tiny/engine_config.h"
#include "gtest_parity/engines/tiny/rank.h"

namespace parity::tiny {

class SavedStates;

// What a rank keeps for them, made by the first call.
struct SavedState {
  std::shared_ptr<SavedStates> states;  // of a build that has none, never more than a pointer
  std::function<void(const parity_step& step)> on_stage;
  std::function<void()> forget;
};

void SaveStateOf(SavedState& saved, Rank& rank, const EngineConfig& config, std::uint32_t slot,
                 const std::string& path);
std::uint64_t LoadStateOf(SavedState& saved, Rank& rank, const EngineConfig& config,
                          std::uint32_t slot, const std::string& path);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_STATE_CALLS_H_
