// An engine made of lambdas, for tests.
#ifndef GTEST_PARITY_TESTS_ENGINE_FAKE_ENGINE_H_
#define GTEST_PARITY_TESTS_ENGINE_FAKE_ENGINE_H_

#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gtest_parity/engine/engine.h"

namespace parity {

// One engine with one rank, which is the object itself: pass args() and api() to Rank. What each
// call returns is a member; memory is by name.
class FakeEngine {
 public:
  struct Memory {
    std::vector<std::uint8_t> bytes;
    std::uint32_t kind = PARITY_MEMORY_HOST;
  };

  FakeEngine() {
    api_.struct_size = sizeof(api_);
    api_.name = "fake";
    api_.describe = [](const char*, const char** text) {
      *text = "{}";
      return PARITY_OK;
    };
    api_.create = [](const parity_create_args* args, parity_rank** out) {
      // Rank's arguments carry the object.
      auto* me = static_cast<FakeEngine*>(const_cast<void*>(args->rendezvous));
      *out = reinterpret_cast<parity_rank*>(me);
      return me->Log("create", me->on_create);
    };
    api_.destroy = [](parity_rank* rank) { Me(rank)->calls.push_back("destroy"); };
    api_.last_error = [](parity_rank* rank) {
      return rank == nullptr ? "words of no rank" : Me(rank)->words.c_str();
    };
    api_.region = [](parity_rank* rank, parity_kind kind, const char* name, parity_region* out) {
      return Me(rank)->Find(kind, name, out);
    };
    api_.stage = [](parity_rank* rank, const parity_step* step) {
      if (Me(rank)->on_stage) Me(rank)->on_stage(*step);
      return Me(rank)->Log("stage", PARITY_OK);
    };
    api_.run = [](parity_rank* rank, const char* program, std::uint32_t lo, std::uint32_t hi) {
      if (Me(rank)->on_run) Me(rank)->on_run(lo, hi);
      return Me(rank)->Log(
          "run " + std::string(program) + " " + std::to_string(lo) + " " + std::to_string(hi),
          Me(rank)->run_status);
    };
    api_.synchronize = [](parity_rank* rank) {
      return Me(rank)->Log("synchronize", Me(rank)->synchronize_status);
    };
    api_.reset = [](parity_rank* rank) {
      for (auto& [name, memory] : Me(rank)->memory) {
        std::memset(memory.bytes.data(), 0, memory.bytes.size());
      }
      return Me(rank)->Log("reset", PARITY_OK);
    };
  }
  // From now on the engine has views: `on_export` and `on_import`.
  void OfferViews() {
    api_.export_view = [](parity_rank* rank, parity_kind, const char* name, void* out,
                          std::uint64_t bytes) {
      return Me(rank)->on_export(name, static_cast<std::uint8_t*>(out), bytes);
    };
    api_.import_view = [](parity_rank* rank, parity_kind, const char* name, const void* in,
                          std::uint64_t bytes) {
      return Me(rank)->on_import(name, static_cast<const std::uint8_t*>(in), bytes);
    };
  }
  FakeEngine(const FakeEngine&) = delete;
  FakeEngine& operator=(const FakeEngine&) = delete;

  parity_engine_api& api() { return api_; }
  parity_create_args args() {
    parity_create_args args{};
    args.struct_size = sizeof(args);
    args.rank_count = 1;
    args.device = -1;
    args.config = "{}";
    args.rendezvous = this;
    return args;
  }
  static FakeEngine* Me(parity_rank* rank) { return reinterpret_cast<FakeEngine*>(rank); }

  template <typename T>
  void Set(const std::string& name, const std::vector<T>& values) {
    std::vector<std::uint8_t>& bytes = memory[name].bytes;
    bytes.resize(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  template <typename T>
  std::vector<T> Get(const std::string& name) {
    const std::vector<std::uint8_t>& bytes = memory.at(name).bytes;
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  template <typename T>
  T* At(const std::string& name) {
    return reinterpret_cast<T*>(memory.at(name).bytes.data());
  }

  std::map<std::string, Memory> memory;
  std::string words = "no words";
  std::vector<std::string> calls;
  parity_status on_create = PARITY_OK, run_status = PARITY_OK, synchronize_status = PARITY_OK;
  std::function<void(const parity_step&)> on_stage;
  std::function<void(std::uint32_t lo, std::uint32_t hi)> on_run;
  // What `run_tapped` does, once OfferTaps was called.
  using TapCall = std::function<parity_status(std::uint32_t tap, const parity_region& region)>;
  std::function<parity_status(const std::vector<parity_tap>& taps, const TapCall& call)> on_tapped;
  void OfferTaps() {
    api_.run_tapped = [](parity_rank* rank, const char* program, const parity_tap* taps,
                         std::uint32_t count, parity_tap_callback callback, void* user) {
      const auto call = [&](std::uint32_t tap, const parity_region& region) {
        return callback(user, tap, &region);
      };
      const parity_status status = Me(rank)->on_tapped({taps, taps + count}, call);
      return Me(rank)->Log("run_tapped " + std::string(program), status);
    };
  }
  // The region of a tensor, as a tap shows it.
  parity_region RegionOf(const std::string& name) {
    parity_region region{};
    region.struct_size = sizeof(region);
    region.device = -1;
    region.data = memory.at(name).bytes.data();
    region.live_bytes = memory.at(name).bytes.size();
    return region;
  }
  std::function<parity_status(const std::string&, std::uint8_t*, std::uint64_t)> on_export;
  std::function<parity_status(const std::string&, const std::uint8_t*, std::uint64_t)> on_import;

 private:
  parity_status Log(std::string call, parity_status status) {
    calls.push_back(std::move(call));
    return status;
  }

  parity_status Find(parity_kind kind, const std::string& name, parity_region* out) {
    const auto found = memory.find(name);
    // Names of states begin with "state".
    if (found == memory.end() || (kind == PARITY_STATE) != name.starts_with("state")) {
      words = "no tensor " + name;
      return PARITY_INVALID;
    }
    out->memory = found->second.kind;
    out->device = -1;
    out->data = found->second.bytes.data();
    out->live_bytes = found->second.bytes.size();
    return PARITY_OK;
  }

  parity_engine_api api_{};
};

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_ENGINE_FAKE_ENGINE_H_
