// The C ABI over Rank. Nothing throws across it.
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/engines/llama_cpp/config.h"
#include "gtest_parity/engines/llama_cpp/description.h"
#include "gtest_parity/engines/llama_cpp/engine.h"
#include "gtest_parity/engines/llama_cpp/error.h"
#include "gtest_parity/engines/llama_cpp/rank.h"
#include "gtest_parity/engines/llama_cpp/text.h"

struct parity_rank {
  explicit parity_rank(parity::llama_cpp::Engine engine, volatile std::uint64_t* progress)
      : rank(std::move(engine), progress), text(rank.vocabulary()) {}

  parity::llama_cpp::Rank rank;
  parity::llama_cpp::Text text;
  std::string error;
  parity::llama_cpp::Refusal refusal;  // of the last call, if it was refused
  std::string returned;                // the text that the last call handed out,
  std::vector<std::int32_t> ids;       // or the ids
};

namespace parity::llama_cpp {
namespace {

thread_local std::string thread_error;
thread_local std::string thread_description;

// What `describe` has loaded, until `create` of the same configuration takes it: a model is large.
struct Described {
  std::mutex mutex;
  std::string config;
  std::unique_ptr<Engine> engine;
};

Described& LastDescribed() {
  static Described described;
  return described;
}

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
parity_status OnRank(parity_rank* rank, Body body) noexcept {
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

parity_status Describe(const char* config, const char** description) {
  return Guarded(thread_error, [&] {
    const EngineConfig parsed = ParseConfig(config);
    Described& last = LastDescribed();
    const std::lock_guard lock(last.mutex);
    if (last.engine == nullptr || last.config != config) {
      last.engine.reset();
      last.engine = std::make_unique<Engine>(LoadEngine(parsed));
      last.config = config;
    }
    thread_description = DescriptionText(last.engine->cuts, last.engine->session->limits());
    *description = thread_description.c_str();
  });
}

Engine TakeDescribedOrLoad(const char* config) {
  const EngineConfig parsed = ParseConfig(config);
  Described& last = LastDescribed();
  const std::lock_guard lock(last.mutex);
  const std::unique_ptr<Engine> described = std::move(last.engine);
  if (described != nullptr && last.config == config) return std::move(*described);
  return LoadEngine(parsed);
}

parity_status Create(const parity_create_args* args, parity_rank** out) {
  return Guarded(thread_error, [&] {
    CheckSize(*args, "create args");
    if (args->rank_count != 1) {
      throw Invalid("rank_count is " + std::to_string(args->rank_count) +
                    ": llama.cpp spreads a model over devices within one rank (config.devices)");
    }
    if (args->device >= 0) {
      throw Invalid(
          "a device for the rank: values are shown in host memory, expected backend: host "
          "and the device's name in config.devices");
    }
    *out = new parity_rank(TakeDescribedOrLoad(args->config), args->progress);
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
  return OnRank(rank, [&](Rank& engine) {
    CheckSize(*out, "region");
    const parity_region region = engine.Region(kind, name);
    out->memory = region.memory;
    out->device = region.device;
    out->data = region.data;
    out->live_bytes = region.live_bytes;
  });
}

parity_status Stage(parity_rank* rank, const parity_step* step) {
  return OnRank(rank, [&](Rank& engine) {
    CheckSize(*step, "step");
    engine.Stage(*step);
  });
}

parity_status Run(parity_rank* rank, const char* program, uint32_t lo, uint32_t hi) {
  return OnRank(rank, [&](Rank& engine) { engine.Run(program, lo, hi); });
}

parity_status RunTapped(parity_rank* rank, const char* program, const parity_tap* taps,
                        uint32_t tap_count, parity_tap_callback callback, void* user) {
  return OnRank(rank, [&](Rank& engine) {
    engine.RunTapped(program, {taps, tap_count}, callback, user);
  });
}

// Each run has ended when it returns.
parity_status Synchronize(parity_rank*) { return PARITY_OK; }

parity_status Reset(parity_rank* rank) {
  return OnRank(rank, [](Rank& engine) { engine.Reset(); });
}

void Cancel(parity_rank* rank) { rank->rank.Cancel(); }

parity_status SaveState(parity_rank* rank, uint32_t slot, const char* path) {
  return OnRank(rank, [&](Rank& engine) { engine.SaveState(slot, path); });
}

parity_status LoadState(parity_rank* rank, uint32_t slot, const char* path, uint64_t* tokens) {
  return OnRank(rank, [&](Rank& engine) { *tokens = engine.LoadState(slot, path); });
}

parity_status Counters(parity_rank* rank, const char** json) {
  return OnRank(rank, [&](Rank& engine) {
    rank->returned = engine.Counters();
    *json = rank->returned.c_str();
  });
}

parity_status Tokenize(parity_rank* rank, const char* text, uint64_t bytes, uint32_t flags,
                       const int32_t** ids, uint64_t* count) {
  return OnRank(rank, [&](Rank&) {
    rank->ids = rank->text.Encode({text, bytes}, (flags & PARITY_ADD_SPECIAL) != 0,
                                  (flags & PARITY_PARSE_SPECIAL) != 0);
    *ids = rank->ids.data();
    *count = rank->ids.size();
  });
}

parity_status Detokenize(parity_rank* rank, const int32_t* ids, uint64_t count, uint32_t flags,
                         const char** text, uint64_t* bytes) {
  return OnRank(rank, [&](Rank&) {
    const bool show = (flags & PARITY_SHOW_SPECIAL) != 0;
    rank->returned = (flags & PARITY_STREAM) != 0 ? rank->text.Stream({ids, count}, show)
                                                  : rank->text.Decode({ids, count}, show);
    *text = rank->returned.data();
    *bytes = rank->returned.size();
  });
}

parity_status SpecialIds(parity_rank* rank, const char** json) {
  return OnRank(rank, [&](Rank&) {
    rank->returned = rank->text.SpecialIds();
    *json = rank->returned.c_str();
  });
}

parity_engine_api MakeApi() {
  parity_engine_api api = {};
  api.struct_size = sizeof(api);
  api.traits = PARITY_SEQUENTIAL | PARITY_TAP_ONLY;
  api.name = "llama_cpp";
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
  api.run_tapped = RunTapped;
  api.save_state = SaveState;
  api.load_state = LoadState;
  api.counters = Counters;
  api.tokenize = Tokenize;
  api.detokenize = Detokenize;
  api.special_ids = SpecialIds;
  return api;
}

}  // namespace
}  // namespace parity::llama_cpp

extern "C" PARITY_EXPORT const parity_plugin_table* parity_plugin(void) {
  static const parity_engine_api api = parity::llama_cpp::MakeApi();
  static const parity_engine_api* const engines[] = {&api};
  static const parity_plugin_table table = {PARITY_ABI_VERSION, sizeof(parity_plugin_table), 1,
                                            engines};
  return &table;
}
