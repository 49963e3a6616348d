#include "gtest_parity/engine/rank.h"

#include <exception>

#include "gtest_parity/engine/error.h"
#include "gtest_parity/engine/float_mode.h"

namespace parity {
namespace {

// Whether a table that may be older than this header reaches as far as `member`.
template <typename Function>
bool Reaches(const parity_engine_api& api, Function parity_engine_api::*member) {
  const auto* base = reinterpret_cast<const char*>(&api);
  const auto* field = reinterpret_cast<const char*>(&(api.*member));
  return static_cast<size_t>(field - base) + sizeof(Function) <= api.struct_size &&
         api.*member != nullptr;
}

// What a callback through the C ABI needs; nothing may be thrown across it.
struct TapVisit {
  const std::function<void(std::uint32_t, const parity_region&)>& visit;
  std::exception_ptr thrown;
  std::fenv_t harness_mode;

  static parity_status Call(void* user, std::uint32_t tap, const parity_region* region) noexcept {
    auto& self = *static_cast<TapVisit*>(user);
    if (self.thrown) return PARITY_FAILED;
    const InFloatMode mode(self.harness_mode);
    try {
      self.visit(tap, *region);
      return PARITY_OK;
    } catch (...) {
      self.thrown = std::current_exception();
      return PARITY_FAILED;
    }
  }
};

}  // namespace

template <typename Function>
bool Rank::Offers(Function parity_engine_api::*member) const {
  return Reaches(api_, member);
}

template <typename Function>
void Rank::CheckOffered(Function parity_engine_api::*member, const char* call,
                        const std::string& view) const {
  if (Offers(member)) return;
  throw EngineError(PARITY_UNSUPPORTED, "its description declares view '" + view +
                                            "' to be by the engine, which offers no " + call);
}

template <typename Function>
void Rank::Require(Function parity_engine_api::*member, const char* call) const {
  if (!Offers(member)) {
    throw EngineError(PARITY_UNSUPPORTED, std::string(call) + ": the engine does not offer it");
  }
}

Rank::Rank(const parity_engine_api& api, const parity_create_args& args) : api_(api) {
  std::fegetenv(&engine_mode_);
  parity_status status = PARITY_OK;
  {
    const InFloatMode mode(engine_mode_);
    status = api.create(&args, &rank_);
  }
  if (status != PARITY_OK) {
    throw EngineError(status, std::string("create: ") + api.last_error(nullptr));
  }
}

Rank::~Rank() {
  const InFloatMode mode(engine_mode_);
  api_.destroy(rank_);
}

template <typename... Parameters, typename... Arguments>
void Rank::Call(const char* name, parity_status (*function)(parity_rank*, Parameters...),
                Arguments... arguments) {
  parity_status status = PARITY_OK;
  {
    const InFloatMode mode(engine_mode_);
    status = function(rank_, arguments...);
  }
  Check(status, name);
}

void Rank::Check(parity_status status, const char* call) {
  if (status == PARITY_OK) return;
  const std::string words = std::string(call) + ": " + api_.last_error(rank_);
  if (status == PARITY_REFUSED && Offers(&parity_engine_api::refusal)) {
    parity_refusal refusal{};
    refusal.struct_size = sizeof(refusal);
    if (api_.refusal(rank_, &refusal) == PARITY_OK) {
      throw RefusedError(
          {refusal.guard, refusal.condition, refusal.operands, api_.last_error(rank_)},
          std::string(call) + ": guard " + refusal.guard + ": " + refusal.condition +
              " does not hold with " + refusal.operands);
    }
  }
  throw EngineError(status, words);
}

parity_region Rank::Region(parity_kind kind, const std::string& name) {
  parity_region region{};
  region.struct_size = sizeof(region);
  Call("region", api_.region, kind, name.c_str(), &region);
  return region;
}

void Rank::Stage(const parity_step& step) { Call("stage", api_.stage, &step); }

void Rank::Run(const std::string& program, uint32_t lo, uint32_t hi) {
  Call("run", api_.run, program.c_str(), lo, hi);
  Call("synchronize", api_.synchronize);
}

void Rank::RunWhole(const std::string& program, uint32_t ops) {
  if (!Offers(&parity_engine_api::run_graph)) return Run(program, 0, ops);
  Call("run_graph", api_.run_graph, program.c_str());
  Call("synchronize", api_.synchronize);
}

void Rank::RunTapped(const std::string& program, const std::vector<parity_tap>& taps,
                     const std::function<void(std::uint32_t, const parity_region&)>& visit) {
  if (!Offers(&parity_engine_api::run_tapped)) {
    throw EngineError(PARITY_UNSUPPORTED, "run_tapped: the engine does not offer it");
  }
  TapVisit visiting{visit, nullptr, {}};
  std::fegetenv(&visiting.harness_mode);
  parity_status status = PARITY_OK;
  {
    const InFloatMode mode(engine_mode_);
    status = api_.run_tapped(rank_, program.c_str(), taps.data(),
                             static_cast<std::uint32_t>(taps.size()), TapVisit::Call, &visiting);
  }
  if (visiting.thrown) std::rethrow_exception(visiting.thrown);
  Check(status, "run_tapped");
  Call("synchronize", api_.synchronize);
}

void Rank::Reset() { Call("reset", api_.reset); }

void Rank::ExportView(parity_kind kind, const std::string& view, void* canonical, uint64_t bytes) {
  CheckOffered(&parity_engine_api::export_view, "export_view", view);
  Check(api_.export_view(rank_, kind, view.c_str(), canonical, bytes), "export_view");
}

void Rank::ImportView(parity_kind kind, const std::string& view, const void* canonical,
                      uint64_t bytes) {
  CheckOffered(&parity_engine_api::import_view, "import_view", view);
  Check(api_.import_view(rank_, kind, view.c_str(), canonical, bytes), "import_view");
}

void Rank::Cancel() {
  if (Offers(&parity_engine_api::cancel)) api_.cancel(rank_);
}

bool Rank::HasStream() const { return Offers(&parity_engine_api::stream); }

void* Rank::Stream() { return HasStream() ? api_.stream(rank_) : nullptr; }

std::vector<int32_t> Rank::Tokenize(const std::string& text, uint32_t flags) {
  Require(&parity_engine_api::tokenize, "tokenize");
  const int32_t* ids = nullptr;
  uint64_t count = 0;
  Check(api_.tokenize(rank_, text.data(), text.size(), flags, &ids, &count), "tokenize");
  return {ids, ids + count};
}

std::string Rank::Detokenize(const std::vector<int32_t>& ids, uint32_t flags) {
  Require(&parity_engine_api::detokenize, "detokenize");
  const char* text = nullptr;
  uint64_t bytes = 0;
  Check(api_.detokenize(rank_, ids.data(), ids.size(), flags, &text, &bytes), "detokenize");
  return bytes == 0 ? std::string() : std::string(text, bytes);
}

std::string Rank::SpecialIds() {
  Require(&parity_engine_api::special_ids, "special_ids");
  const char* json = nullptr;
  Check(api_.special_ids(rank_, &json), "special_ids");
  return json;
}

std::vector<int32_t> Rank::Frame(const std::string& messages) {
  Require(&parity_engine_api::frame, "frame");
  const int32_t* ids = nullptr;
  uint64_t count = 0;
  Check(api_.frame(rank_, messages.c_str(), &ids, &count), "frame");
  return {ids, ids + count};
}

std::string Rank::Serve(const std::string& request) {
  Require(&parity_engine_api::serve, "serve");
  const char* response = nullptr;
  Call("serve", api_.serve, request.c_str(), &response);
  return response;
}

std::string Rank::Counters() {
  Require(&parity_engine_api::counters, "counters");
  const char* json = nullptr;
  Call("counters", api_.counters, &json);
  return json;
}

void Rank::SaveState(uint32_t slot, const std::string& path) {
  Require(&parity_engine_api::save_state, "save_state");
  Call("save_state", api_.save_state, slot, path.c_str());
  Call("synchronize", api_.synchronize);
}

uint64_t Rank::LoadState(uint32_t slot, const std::string& path) {
  Require(&parity_engine_api::load_state, "load_state");
  uint64_t tokens = 0;
  Call("load_state", api_.load_state, slot, path.c_str(), &tokens);
  Call("synchronize", api_.synchronize);
  return tokens;
}

std::vector<uint8_t> Rendezvous(const parity_engine_api& api, const std::string& config) {
  if (!Reaches(api, &parity_engine_api::rendezvous)) return {};
  std::vector<uint8_t> bytes(256);
  uint64_t size = bytes.size();
  parity_status status = api.rendezvous(config.c_str(), bytes.data(), &size);
  if (status == PARITY_INVALID && size > bytes.size()) {
    bytes.resize(size);
    status = api.rendezvous(config.c_str(), bytes.data(), &size);
  }
  if (status != PARITY_OK) {
    throw EngineError(status, std::string("rendezvous: ") + api.last_error(nullptr));
  }
  if (size > bytes.size()) {
    throw EngineError(PARITY_FAILED, "rendezvous: " + std::to_string(size) +
                                         " bytes written, it was given room for " +
                                         std::to_string(bytes.size()));
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace parity
