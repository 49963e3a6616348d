// What one engine gives to the glue that makes a plugin of it.
#ifndef GTEST_PARITY_ENGINES_TINY_PLUGIN_H_
#define GTEST_PARITY_ENGINES_TINY_PLUGIN_H_

#include <cstddef>
#include <vector>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/engines/tiny/backend.h"
#include "gtest_parity/engines/tiny/mutant.h"
#include "gtest_parity/engines/tiny/serve/kv_store.h"
#include "gtest_parity/engines/tiny/spec.h"
#include "gtest_parity/engines/tiny/tokens/tokenizer.h"

namespace parity::tiny {

struct EngineDefinition {
  const char* name;
  EngineSpec (*build)(const ModelShape& model, parity_dtype activation);
  MutantHost mutants;
  std::uint32_t traits = 0;           // parity_trait bits
  MakeTokenizer tokenizer = nullptr;  // its own; null: MakeBytePairTokenizer
  // Of a mixture of experts, which are split over ranks whole; 0: heads and columns are split.
  std::uint64_t experts = 0;
  MakeBackend backend = MakeHostBackend;
  // Of ranks that make their own communicator: bytes that each needs to find the others; null:
  // none.
  std::vector<std::byte> (*rendezvous)() = nullptr;
  const KvImplementation* kv = nullptr;  // of an engine that serves
};

// The engine of the library that this is linked into; each engine's folder defines one.
extern const EngineDefinition kEngine;

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_PLUGIN_H_
