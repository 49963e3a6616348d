// What OpenAI's clients say and hear, as `serve` has it.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_OPENAI_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_OPENAI_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "gtest_parity/engine/error.h"

namespace parity {

// Bodies of /v1/completions and /v1/chat/completions. `prompt` or `messages`, `max_tokens` and
// `tools` are read, and under "parity" what `serve` knows besides; the rest is ignored. Throws
// EngineError (PARITY_INVALID).
std::string ServeRequestOf(const std::string& body, bool chat);
// `number` is the answer's own.
std::string CompletionOf(const std::string& served, const std::string& model, bool chat,
                         std::uint64_t number);

struct HttpError {
  int status;
  std::string body;
};
HttpError HttpErrorOf(const EngineError& error);

}  // namespace parity

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_OPENAI_H_
