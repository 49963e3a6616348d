// The ABI's `serve` of a rank.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_SERVE_CALL_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_SERVE_CALL_H_

#include <functional>
#include <memory>
#include <string>

#include "gtest_parity/engines/tiny/engine_config.h"
#include "gtest_parity/engines/tiny/rank.h"
#include "gtest_parity/engines/tiny/tokens/tokenizer.h"

namespace parity::tiny {

class Server;

// What a rank keeps for it. The server is made by the first request.
struct ServeState {
  std::shared_ptr<Server> server;  // of a build that has none, never more than a pointer
  std::function<void()> forget;    // live sessions
  // The members of a JSON object, each with a comma before it.
  std::function<std::string()> counters;
  std::string response;  // of the last call
};

const char* ServeOn(ServeState& state, Rank& rank, const EngineConfig& config, Tokenizer& tokenizer,
                    const char* request);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_SERVE_CALL_H_
