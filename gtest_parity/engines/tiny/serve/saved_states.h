// The ABI's `save_state` and `load_state` of a rank.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_SAVED_STATES_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_SAVED_STATES_H_

#include <cstdint>
#include <map>
#include <string>

#include "gtest_parity/engines/tiny/engine_config.h"
#include "gtest_parity/engines/tiny/rank.h"
#include "gtest_parity/engines/tiny/serve/kv_store.h"

namespace parity::tiny {

// Every function but Forget is called on all ranks of a side, of which rank 0 has the
// file. They throw EngineError, RefusedError for what is not taken up or cannot be written.
class SavedStates {
 public:
  // `rank` outlives this object.
  SavedStates(Rank& rank, const EngineConfig& config, const KvImplementation& kv);

  void Save(std::uint32_t slot, const std::string& path);
  // How many tokens the slot holds. Where they lie is known with the next step.
  std::uint64_t Load(std::uint32_t slot, const std::string& path);
  // Puts what was loaded into the pages of the step's sequences. The step has been staged.
  void OnStage(const parity_step& step);
  void Forget() { loaded_.clear(); }

 private:
  void Share(KvSnapshot& snapshot, std::string& why);
  std::string Read(const std::string& path, KvSnapshot& out) const;

  Rank& rank_;
  const KvImplementation& kv_;
  KvShape shape_;
  std::string mutant_;
  std::map<std::uint32_t, KvSnapshot> loaded_;  // by slot, not yet in pages
  bool broken_ = false;                         // of a mutant
};

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_SAVED_STATES_H_
