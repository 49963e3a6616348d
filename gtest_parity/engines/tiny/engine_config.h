// The `config` object of a side's declaration.
#ifndef GTEST_PARITY_ENGINES_TINY_ENGINE_CONFIG_H_
#define GTEST_PARITY_ENGINES_TINY_ENGINE_CONFIG_H_

#include <optional>
#include <string>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/engines/tiny/kv_knobs.h"
#include "gtest_parity/engines/tiny/mutant.h"

namespace parity::tiny {

// {"model": directory, "dtype": "f32" | "bf16", "mutant": {"name": ..., ...}, "views": false,
// "graph": true, "fault": label, "kv": {...}}
struct EngineConfig {
  std::string model;                     // directory of config.json and model.safetensors
  parity_dtype activation = PARITY_F32;  // of what passes between ops, and of the KV cache
  std::optional<MutantOptions> mutant;
  bool views = true;          // whether the description has any
  bool graph = false;         // whole programs run as captured graphs
  std::optional<KvKnobs> kv;  // of an engine that serves
  std::string fault;          // label of the op before which a kernel stores to where nothing is
};

// Throws EngineError (PARITY_INVALID) that names what is wrong and what is known.
EngineConfig ParseEngineConfig(const char* text, MutantHost host);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_ENGINE_CONFIG_H_
