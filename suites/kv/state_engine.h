// An engine that is driven step by step, one sequence slot at a time.
#ifndef GTEST_PARITY_SUITES_KV_STATE_ENGINE_H_
#define GTEST_PARITY_SUITES_KV_STATE_ENGINE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "gtest_parity/manifest/description.h"
#include "gtest_parity/side/side.h"

namespace parity::kv {

// How it is driven.
struct StateDriving {
  Description description;
  std::uint32_t ranks = 1;
  std::uint64_t chunk = 16;  // most rows of a prompt in one step
  std::uint64_t seed = 0;    // of the order in which pages are handed out
};

// Every function but the constructor throws SideFailure where the engine fails, and refuses where
// it may not.
class StateEngine {
 public:
  // `side` outlives this object. Throws std::runtime_error for a description without tokens, a
  // program to drive, or one buffer of logits that has a whole row on every rank.
  StateEngine(Side& side, StateDriving driving);

  // Ids of text; `begins` a sequence: with the ids that the model wants around it. Throws
  // std::runtime_error where the engine has no tokenizer.
  std::vector<std::int32_t> Tokenize(const std::string& text, bool begins);
  // Empty where the engine cannot tell.
  std::string TextOf(const std::vector<std::int32_t>& ids);
  // Ids that end an answer. None where the engine names none.
  const std::set<std::int32_t>& Ends();

  // Runs `tokens` behind the `past` ones of a slot, in chunks, and returns the last row of logits.
  // There is at least one token.
  std::vector<float> Run(std::uint32_t slot, std::uint64_t past,
                         const std::vector<std::int32_t>& tokens);
  std::uint64_t rows() const { return rows_; }  // that were run
  std::uint64_t ops() const { return ops_; }
  std::uint64_t room() const { return room_; }  // most tokens of one slot

  // Of a sequential engine a slot that holds something is begun anew with all others alone.
  bool BeginsAnewTogether() const { return driving_.description.sequential; }
  void Reset();

  // Rank 0's, of all ranks.
  StateAnswer Save(std::uint32_t slot, const std::string& path);
  StateAnswer Load(std::uint32_t slot, const std::string& path);
  nlohmann::json Counters();

 private:
  void FindLogits();
  void FindRoom();
  std::vector<float> Step(std::uint32_t slot, std::uint64_t past, const std::string& program,
                          const std::vector<std::int32_t>& tokens);
  Result Ask(const Script& script);
  Result AskRankZero(Script script);

  Side& side_;
  StateDriving driving_;
  std::string prefill_, decode_;
  TensorRef logits_;
  std::uint64_t vocabulary_ = 0, chunk_ = 0, room_ = 0, rows_ = 0, ops_ = 0;
  std::set<std::int32_t> ends_;
  bool ends_known_ = false;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_STATE_ENGINE_H_
