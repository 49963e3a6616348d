// The ABI's functions on text and ids.
#ifndef GTEST_PARITY_ENGINES_TINY_TOKENS_TOKEN_CALLS_H_
#define GTEST_PARITY_ENGINES_TINY_TOKENS_TOKEN_CALLS_H_

#include <memory>
#include <string>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/engines/tiny/engine_config.h"
#include "gtest_parity/engines/tiny/tokens/tokenizer.h"

namespace parity::tiny {

// What a rank keeps for them. The tokenizer is loaded when it is first asked.
struct TokenState {
  EngineConfig config;
  std::unique_ptr<Tokenizer> tokenizer;
  Ids ids;           // of the last call
  std::string text;  // of the last call
};

// Of the rank; both in plugin.cc, where its type is.
TokenState& TokensOf(parity_rank* rank);
std::string& ErrorOf(parity_rank* rank);

// Loads it where it has not been asked yet.
Tokenizer& TokenizerOf(TokenState& state);

void AddTokenCalls(parity_engine_api& api);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_TOKENS_TOKEN_CALLS_H_
