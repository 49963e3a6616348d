#include "gtest_parity/engines/tiny/tokens/token_calls.h"

#include "gtest_parity/engines/tiny/error.h"
#include "gtest_parity/engines/tiny/plugin.h"
#include "gtest_parity/engines/tiny/tokens/faulty.h"

namespace parity::tiny {
namespace {

using nlohmann::json;

template <typename Body>
parity_status With(parity_rank* rank, Body body) noexcept {
  std::string& error = ErrorOf(rank);
  try {
    TokenState& state = TokensOf(rank);
    TokenizerOf(state);
    body(state);
    return PARITY_OK;
  } catch (const EngineError& failure) {
    error = failure.what();
    return failure.status();
  } catch (const std::exception& failure) {
    error = failure.what();
    return PARITY_FAILED;
  }
}

parity_status Tokenize(parity_rank* rank, const char* text, uint64_t bytes, uint32_t flags,
                       const int32_t** ids, uint64_t* count) {
  return With(rank, [&](TokenState& state) {
    state.ids = state.tokenizer->Encode({text, bytes}, (flags & PARITY_ADD_SPECIAL) != 0,
                                        (flags & PARITY_PARSE_SPECIAL) != 0);
    *ids = state.ids.data();
    *count = state.ids.size();
  });
}

parity_status Detokenize(parity_rank* rank, const int32_t* ids, uint64_t count, uint32_t flags,
                         const char** text, uint64_t* bytes) {
  return With(rank, [&](TokenState& state) {
    const std::span<const std::int32_t> given(ids, count);
    const bool show = (flags & PARITY_SHOW_SPECIAL) != 0;
    state.text = (flags & PARITY_STREAM) != 0 ? state.tokenizer->Stream(given, show)
                                              : state.tokenizer->Decode(given, show);
    *text = state.text.data();
    *bytes = state.text.size();
  });
}

parity_status SpecialIds(parity_rank* rank, const char** out) {
  return With(rank, [&](TokenState& state) {
    state.text = state.tokenizer->SpecialIds().dump();
    *out = state.text.c_str();
  });
}

parity_status Frame(parity_rank* rank, const char* messages, const int32_t** ids, uint64_t* count) {
  return With(rank, [&](TokenState& state) {
    state.ids = state.tokenizer->Frame(json::parse(messages, nullptr, false));
    *ids = state.ids.data();
    *count = state.ids.size();
  });
}

}  // namespace

Tokenizer& TokenizerOf(TokenState& state) {
  if (!state.tokenizer) {
    const MakeTokenizer make =
        kEngine.tokenizer != nullptr ? kEngine.tokenizer : MakeBytePairTokenizer;
    const auto& mutant = state.config.mutant;
    state.tokenizer =
        WithFault(make(state.config.model), mutant ? mutant->mutant->name : std::string());
  }
  return *state.tokenizer;
}

void AddTokenCalls(parity_engine_api& api) {
  api.tokenize = Tokenize;
  api.detokenize = Detokenize;
  api.special_ids = SpecialIds;
  api.frame = Frame;
}

}  // namespace parity::tiny
