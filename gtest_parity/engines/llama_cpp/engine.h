// A session with the cuts that its graph has.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_ENGINE_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_ENGINE_H_

#include <memory>
#include <string>
#include <vector>

#include "gtest_parity/engines/llama_cpp/description.h"
#include "gtest_parity/engines/llama_cpp/session.h"

namespace parity::llama_cpp {

struct Engine {
  std::unique_ptr<Session> session;
  std::vector<Cut> cuts;
};

// Loads the model and computes a few tokens, to see the graph; leaves nothing of them. Throws
// EngineError.
Engine LoadEngine(const EngineConfig& config);

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_ENGINE_H_
