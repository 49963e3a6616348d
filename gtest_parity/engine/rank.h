// One rank of an engine, as C++ sees it.
#ifndef GTEST_PARITY_ENGINE_RANK_H_
#define GTEST_PARITY_ENGINE_RANK_H_

#include <cfenv>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gtest_parity/engine/engine.h"

namespace parity {

// Owns a parity_rank. Every method throws EngineError when the engine does not return PARITY_OK.
// All calls come from the thread that made the rank, but for Cancel. The floating-point mode that
// the engine sets is in force inside its calls, call after call, and nowhere else: comparisons
// compute in the harness's own.
class Rank {
 public:
  Rank(const parity_engine_api& api, const parity_create_args& args);
  ~Rank();
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  parity_region Region(parity_kind kind, const std::string& name);
  void Stage(const parity_step& step);
  // Runs ops [lo, hi) and waits for them.
  void Run(const std::string& program, uint32_t lo, uint32_t hi);
  // The whole program: `run_graph` where the engine offers it.
  void RunWhole(const std::string& program, uint32_t ops);
  // The whole program, which calls `visit` with an index into `taps` as each tapped value is there.
  // The region is valid inside `visit` alone. What `visit` throws ends the run and is thrown on.
  void RunTapped(const std::string& program, const std::vector<parity_tap>& taps,
                 const std::function<void(uint32_t, const parity_region&)>& visit);
  void Reset();
  // What the view of that name shows, at the staged step. `bytes` is its size.
  void ExportView(parity_kind kind, const std::string& view, void* canonical, uint64_t bytes);
  void ImportView(parity_kind kind, const std::string& view, const void* canonical, uint64_t bytes);
  void Cancel();
  // The rank's cudaStream_t; NULL where the engine has none to tell of.
  void* Stream();
  bool HasStream() const;

  // EngineError(PARITY_UNSUPPORTED) where the engine does not offer them. Flags of engine.h.
  std::vector<int32_t> Tokenize(const std::string& text, uint32_t flags);
  std::string Detokenize(const std::vector<int32_t>& ids, uint32_t flags);
  std::string SpecialIds();  // a JSON text
  std::vector<int32_t> Frame(const std::string& messages);
  std::string Serve(const std::string& request);  // both JSON texts, as docs/serving.md has them
  std::string Counters();                         // a JSON text
  // What the engine declines is a RefusedError, with what its guard tells. `LoadState` returns how
  // many tokens the slot then holds.
  void SaveState(uint32_t slot, const std::string& path);
  uint64_t LoadState(uint32_t slot, const std::string& path);

 private:
  template <typename... Parameters, typename... Arguments>
  void Call(const char* name, parity_status (*function)(parity_rank*, Parameters...),
            Arguments... arguments);
  void Check(parity_status status, const char* call);
  template <typename Function>
  bool Offers(Function parity_engine_api::*member) const;
  template <typename Function>
  void CheckOffered(Function parity_engine_api::*member, const char* call,
                    const std::string& view) const;
  template <typename Function>
  void Require(Function parity_engine_api::*member, const char* call) const;

  const parity_engine_api& api_;
  parity_rank* rank_ = nullptr;
  std::fenv_t engine_mode_;
};

// What rank 0 hands to every rank's `create`; empty where the engine needs none.
std::vector<uint8_t> Rendezvous(const parity_engine_api& api, const std::string& config);

}  // namespace parity

#endif  // GTEST_PARITY_ENGINE_RANK_H_
