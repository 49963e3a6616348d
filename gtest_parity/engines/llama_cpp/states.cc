// Saved sequences, in llama.cpp's own files.
#include <nlohmann/json.hpp>

#include "gtest_parity/engines/llama_cpp/error.h"
#include "gtest_parity/engines/llama_cpp/log_tail.h"
#include "gtest_parity/engines/llama_cpp/rank.h"

namespace parity::llama_cpp {
namespace {

void CheckSlot(std::uint32_t slot, const EngineLimits& limits) {
  if (slot < limits.sequences) return;
  throw Invalid("slot " + std::to_string(slot) + ", there are " + std::to_string(limits.sequences));
}

}  // namespace

void Rank::SaveState(std::uint32_t slot, const std::string& path) {
  CheckSlot(slot, limits_);
  if (!slots_.finished())
    throw Invalid("a state is saved before the staged step has run to its end");
  ForgetLog();
  const std::vector<std::int32_t>& tokens = slots_.Of(slot);
  const std::size_t bytes =
      llama_state_seq_save_file(engine_.session->context(), path.c_str(),
                                static_cast<llama_seq_id>(slot), tokens.data(), tokens.size());
  if (bytes == 0) throw Failed("cannot save slot " + std::to_string(slot) + "; " + LogTail());
}

std::uint64_t Rank::LoadState(std::uint32_t slot, const std::string& path) {
  CheckSlot(slot, limits_);
  if (!slots_.finished())
    throw Invalid("a state is loaded before the staged step has run to its end");
  ForgetLog();
  std::vector<llama_token> tokens(llama_n_ctx(engine_.session->context()));
  std::size_t count = 0;
  const std::size_t bytes = llama_state_seq_load_file(engine_.session->context(), path.c_str(),
                                                      static_cast<llama_seq_id>(slot),
                                                      tokens.data(), tokens.size(), &count);
  if (bytes == 0) {
    // It may have emptied the slot before it saw what it does not like.
    engine_.session->RemoveFrom(slot, 0);
    slots_.Set(slot, {});
    const nlohmann::json operands = {{"slot", slot}, {"path", path}};
    throw RefusedError({"load_state", LastLogError(), operands.dump()},
                       "cannot load \"" + path + "\"; " + LogTail());
  }
  tokens.resize(count);
  slots_.Set(slot, std::move(tokens));
  return count;
}

}  // namespace parity::llama_cpp
