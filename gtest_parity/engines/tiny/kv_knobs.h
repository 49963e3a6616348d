// The `kv` object of a configuration: how an engine that serves keeps its KV store.
#ifndef GTEST_PARITY_ENGINES_TINY_KV_KNOBS_H_
#define GTEST_PARITY_ENGINES_TINY_KV_KNOBS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "gtest_parity/engine/engine.h"

namespace parity::tiny {

// Counts are of tokens, and of 32 bits as in the format. docs/serving.md says what each does.
struct KvKnobs {
  std::string folder;  // empty: nothing is kept on disk
  std::uint64_t budget_bytes = 256u << 20;
  std::int32_t min_tokens = 16;
  std::int32_t cold_max_tokens = 1024;
  std::int32_t continued_interval_tokens = 64;
  std::int32_t boundary_trim_tokens = 4;
  std::int32_t boundary_align_tokens = 16;
  std::int32_t banks = 3;
  bool bank_checkpoint = true;
  std::int32_t min_lcp = 32;  // bytes
  std::int32_t context = 0;   // of one session; 0: as much as each can have
  bool reject_different_quant = false;
  bool fingerprint = false;
  // Of mutants: the identity footer is not looked at, nor whether a record is still what it was.
  bool trusts_any_model = false;
  bool trusts_index = false;
};

// Throws EngineError (PARITY_INVALID). `activation` is the dtype of the KV cache.
KvKnobs ParseKvKnobs(const nlohmann::json& object, parity_dtype activation);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_KV_KNOBS_H_
