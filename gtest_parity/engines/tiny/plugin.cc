// The C ABI over Rank. Nothing throws across it.
#include "gtest_parity/engines/tiny/plugin.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/engines/tiny/description_text.h"
#include "gtest_parity/engines/tiny/engine_config.h"
#include "gtest_parity/engines/tiny/error.h"
#include "gtest_parity/engines/tiny/rank.h"
#include "gtest_parity/engines/tiny/serve/serve_call.h"
#include "gtest_parity/engines/tiny/serve/state_calls.h"
#include "gtest_parity/engines/tiny/tokens/token_calls.h"

struct parity_rank {
  parity::tiny::Rank rank;
  std::string error;
  parity::tiny::Refusal refusal;  // of the last call, if it was refused
  std::string text;               // what `counters` last returned
  parity::tiny::TokenState tokens = {};
  parity::tiny::ServeState serving = {};
  parity::tiny::SavedState saved = {};
};

namespace parity::tiny {
namespace {

thread_local std::string thread_error;
thread_local std::string thread_description;

template <typename Body>
parity_status Guarded(std::string& error, Body body) noexcept {
  try {
    body();
    return PARITY_OK;
  } catch (const EngineError& failure) {
    error = failure.what();
    return failure.status();
  } catch (const std::bad_alloc&) {
    error = "out of memory";
    return PARITY_OUT_OF_MEMORY;
  } catch (const std::exception& failure) {
    error = failure.what();
    return PARITY_FAILED;
  }
}

template <typename Body>
parity_status GuardedRank(parity_rank* rank, Body body) noexcept {
  rank->refusal = {};
  return Guarded(rank->error, [&] {
    try {
      body(rank->rank);
    } catch (const RefusedError& refused) {
      rank->refusal = refused.refusal();
      throw;
    }
  });
}

template <typename T>
void CheckSize(const T& value, const char* what) {
  if (value.struct_size >= sizeof(T)) return;
  throw Invalid(std::string(what) + ".struct_size is " + std::to_string(value.struct_size) +
                ", expected at least " + std::to_string(sizeof(T)));
}

void CheckRanks(const parity_create_args& args, const ModelShape& model) {
  const std::uint64_t ranks = args.rank_count;
  if (ranks == 0 || args.rank >= ranks) {
    throw Invalid("rank " + std::to_string(args.rank) + " of " + std::to_string(ranks) +
                  ", expected a rank below the number of ranks");
  }
  using Split = std::vector<std::pair<const char*, std::uint64_t>>;
  const Split split = kEngine.experts != 0 ? Split{{"experts", kEngine.experts}}
                                           : Split{{"KV heads", model.kv_heads},
                                                   {"heads", model.heads},
                                                   {"feed-forward columns", model.intermediate}};
  for (const auto& [name, size] : split) {
    if (size % ranks == 0) continue;
    throw Invalid("rank_count is " + std::to_string(ranks) +
                  ", which does not divide the model's " + std::to_string(size) + " " + name);
  }
  if (ranks > 1 && kEngine.rendezvous == nullptr && args.collective == nullptr) {
    throw Invalid("rank_count is " + std::to_string(ranks) + ", but there is no collective");
  }
}

EngineSpec SpecOf(const EngineConfig& config) {
  EngineSpec spec = kEngine.build(ReadModelShape(config.model), config.activation);
  spec.traits = kEngine.traits;
  if (config.views) return spec;
  for (auto* tensors : {&spec.buffers, &spec.states}) {
    for (TensorSpec& tensor : *tensors) tensor.views.clear();
  }
  return spec;
}

void CheckServes(const EngineConfig& config) {
  if (!config.kv || kEngine.kv != nullptr) return;
  throw Invalid("config.kv: engine \"" + std::string(kEngine.name) + "\" serves nothing");
}

parity_status Describe(const char* config, const char** description) {
  return Guarded(thread_error, [&] {
    const EngineConfig parsed = ParseEngineConfig(config, kEngine.mutants);
    CheckServes(parsed);
    const EngineSpec spec = SpecOf(parsed);
    if (parsed.mutant) MutantRunner(*parsed.mutant, spec, 0);
    thread_description = DescriptionText(spec);
    *description = thread_description.c_str();
  });
}

// Most mutants spoil memory that this code can reach; `fault` is of engines whose memory it cannot.
void CheckForBackend(const EngineConfig& config, const Backend& backend) {
  const bool host = backend.memory() == PARITY_MEMORY_HOST;
  if (config.mutant && config.mutant->mutant->touches_memory && !host) {
    throw Invalid(std::string("config.mutant: ") + config.mutant->mutant->name +
                  " spoils host memory, this engine is on a GPU");
  }
  if (host && (!config.fault.empty() || config.graph)) {
    throw Invalid("config.fault, config.graph: only engines on a GPU know them");
  }
}

parity_status Create(const parity_create_args* args, parity_rank** out) {
  return Guarded(thread_error, [&] {
    CheckSize(*args, "create args");
    const EngineConfig config = ParseEngineConfig(args->config, kEngine.mutants);
    CheckServes(config);
    EngineSpec spec = SpecOf(config);
    CheckRanks(*args, spec.model);
    auto backend = kEngine.backend(*args, spec);
    CheckForBackend(config, *backend);
    *out = new parity_rank{Rank(*args, config, std::move(spec), std::move(backend)), {}, {}, {}};
    (*out)->tokens.config = config;
  });
}

void Destroy(parity_rank* rank) { delete rank; }

const char* LastError(parity_rank* rank) {
  return rank == nullptr ? thread_error.c_str() : rank->error.c_str();
}

parity_status GetRefusal(parity_rank* rank, parity_refusal* out) {
  return Guarded(rank->error, [&] {
    CheckSize(*out, "refusal");
    if (rank->refusal.guard.empty()) throw Invalid("the last call was not refused");
    out->guard = rank->refusal.guard.c_str();
    out->condition = rank->refusal.condition.c_str();
    out->operands = rank->refusal.operands.c_str();
  });
}

parity_status Region(parity_rank* rank, parity_kind kind, const char* name, parity_region* out) {
  return GuardedRank(rank, [&](Rank& engine) {
    CheckSize(*out, "region");
    const Operand tensor = engine.Reach(kind, name);
    out->memory = engine.memory().backend().memory();
    out->device = engine.memory().backend().device();
    out->data = tensor.data;
    out->live_bytes = tensor.Elements() * BytesOf(tensor.dtype);
  });
}

// Whoever stages or resets does with the caches what he likes.
void EndSessions(parity_rank* rank) {
  if (rank->serving.forget) rank->serving.forget();
}

parity_status Stage(parity_rank* rank, const parity_step* step) {
  return GuardedRank(rank, [&](Rank& engine) {
    CheckSize(*step, "step");
    EndSessions(rank);
    engine.Stage(*step);
    if (rank->saved.on_stage) rank->saved.on_stage(*step);
  });
}

parity_status Run(parity_rank* rank, const char* program, uint32_t lo, uint32_t hi) {
  return GuardedRank(rank, [&](Rank& engine) { engine.Run(program, lo, hi); });
}

parity_status RunTapped(parity_rank* rank, const char* program, const parity_tap* taps,
                        uint32_t tap_count, parity_tap_callback callback, void* user) {
  return GuardedRank(rank, [&](Rank& engine) {
    engine.RunTapped(program, {{taps, tap_count}, callback, user});
  });
}

parity_status RunGraph(parity_rank* rank, const char* program) {
  return GuardedRank(rank, [&](Rank& engine) { engine.RunGraph(program); });
}

parity_status Synchronize(parity_rank* rank) {
  return GuardedRank(rank, [](Rank& engine) { engine.memory().backend().Synchronize(); });
}

void* Stream(parity_rank* rank) { return rank->rank.memory().backend().stream(); }

parity_status Rendezvous(const char*, void* out, uint64_t* bytes) {
  return Guarded(thread_error, [&] {
    const std::vector<std::byte> made = kEngine.rendezvous();
    const std::uint64_t capacity = *bytes;
    *bytes = made.size();
    if (capacity < made.size()) throw Invalid("no room for the rendezvous");
    std::copy(made.begin(), made.end(), static_cast<std::byte*>(out));
  });
}

parity_status Reset(parity_rank* rank) {
  return GuardedRank(rank, [&](Rank& engine) {
    EndSessions(rank);
    if (rank->saved.forget) rank->saved.forget();
    engine.Reset();
  });
}

parity_status ExportView(parity_rank* rank, parity_kind kind, const char* name, void* canonical,
                         uint64_t bytes) {
  return GuardedRank(rank, [&](Rank& engine) { engine.ExportView(kind, name, canonical, bytes); });
}

parity_status ImportView(parity_rank* rank, parity_kind kind, const char* name,
                         const void* canonical, uint64_t bytes) {
  return GuardedRank(rank, [&](Rank& engine) { engine.ImportView(kind, name, canonical, bytes); });
}

void Cancel(parity_rank* rank) { rank->rank.Cancel(); }

parity_status Counters(parity_rank* rank, const char** json) {
  return GuardedRank(rank, [&](Rank& engine) {
    rank->text = "{\"tokens\": " + std::to_string(engine.tokens()) +
                 ", \"runs\": " + std::to_string(engine.runs());
    if (rank->serving.counters) rank->text += rank->serving.counters();
    rank->text += "}";
    *json = rank->text.c_str();
  });
}

#ifdef PARITY_TINY_TOKENS
parity_status Serve(parity_rank* rank, const char* request, const char** response) {
  return GuardedRank(rank, [&](Rank& engine) {
    *response =
        ServeOn(rank->serving, engine, rank->tokens.config, TokenizerOf(rank->tokens), request);
  });
}

parity_status SaveState(parity_rank* rank, uint32_t slot, const char* path) {
  return GuardedRank(rank, [&](Rank& engine) {
    SaveStateOf(rank->saved, engine, rank->tokens.config, slot, path);
  });
}

parity_status LoadState(parity_rank* rank, uint32_t slot, const char* path, uint64_t* tokens) {
  return GuardedRank(rank, [&](Rank& engine) {
    EndSessions(rank);
    *tokens = LoadStateOf(rank->saved, engine, rank->tokens.config, slot, path);
  });
}
#endif

parity_engine_api MakeApi() {
  parity_engine_api api = {};
  api.struct_size = sizeof(api);
  api.traits = kEngine.traits;
  api.name = kEngine.name;
  api.describe = Describe;
  api.create = Create;
  api.destroy = Destroy;
  api.last_error = LastError;
  api.refusal = GetRefusal;
  api.region = Region;
  api.stage = Stage;
  api.run = Run;
  api.synchronize = Synchronize;
  api.reset = Reset;
  api.cancel = Cancel;
  if ((kEngine.traits & PARITY_TAP_ONLY) != 0) api.run_tapped = RunTapped;
  if (kEngine.rendezvous != nullptr) {
    api.rendezvous = Rendezvous;
    api.stream = Stream;
    api.run_graph = RunGraph;
  }
  api.counters = Counters;
  api.export_view = ExportView;
  api.import_view = ImportView;
#ifdef PARITY_TINY_TOKENS
  AddTokenCalls(api);
  if (kEngine.kv == nullptr) return api;
  api.serve = Serve;
  api.save_state = SaveState;
  api.load_state = LoadState;
#endif
  return api;
}

}  // namespace

TokenState& TokensOf(parity_rank* rank) { return rank->tokens; }
std::string& ErrorOf(parity_rank* rank) { return rank->error; }

}  // namespace parity::tiny

extern "C" PARITY_EXPORT const parity_plugin_table* parity_plugin(void) {
  static const parity_engine_api api = parity::tiny::MakeApi();
  static const parity_engine_api* const engines[] = {&api};
  static const parity_plugin_table table = {PARITY_ABI_VERSION, sizeof(parity_plugin_table), 1,
                                            engines};
  return &table;
}
