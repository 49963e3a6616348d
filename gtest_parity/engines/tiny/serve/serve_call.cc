#include "gtest_parity/engines/tiny/serve/serve_call.h"

#include "gtest_parity/engines/tiny/error.h"
#include "gtest_parity/engines/tiny/plugin.h"
#include "gtest_parity/engines/tiny/serve/server.h"

namespace parity::tiny {
namespace {

std::string MembersOf(const Server& server) {
  std::string members;
  for (const auto& [name, count] : server.Counters()) {
    members += ", \"" + name + "\": " + std::to_string(count);
  }
  return members;
}

void MakeServer(ServeState& state, Rank& rank, const EngineConfig& config, Tokenizer& tokenizer) {
  if (kEngine.kv == nullptr) {
    throw EngineError(PARITY_UNSUPPORTED,
                      "serve: engine \"" + std::string(kEngine.name) + "\" serves nothing");
  }
  state.server = std::make_shared<Server>(rank, config, *kEngine.kv, tokenizer);
  state.forget = [server = state.server.get()] { server->Forget(); };
  state.counters = [server = state.server.get()] { return MembersOf(*server); };
}

}  // namespace

const char* ServeOn(ServeState& state, Rank& rank, const EngineConfig& config, Tokenizer& tokenizer,
                    const char* request) {
  if (!state.server) MakeServer(state, rank, config, tokenizer);
  state.response =
      state.server->Answer(request).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return state.response.c_str();
}

}  // namespace parity::tiny
