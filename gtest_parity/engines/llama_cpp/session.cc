#include "gtest_parity/engines/llama_cpp/session.h"

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <utility>

#include "gtest_parity/engines/llama_cpp/compat.h"
#include "gtest_parity/engines/llama_cpp/devices.h"
#include "gtest_parity/engines/llama_cpp/error.h"
#include "gtest_parity/engines/llama_cpp/log_tail.h"
#include "gtest_parity/engines/llama_cpp/nearest.h"

namespace parity::llama_cpp {
namespace {

constexpr std::int32_t kAllLayers = 999;

void BeginBackends() {
  static std::once_flag once;
  std::call_once(once, [] {
    // An abort would otherwise attach a debugger to its own process and wait for it.
    setenv("GGML_NO_BACKTRACE", "1", 0);
    CatchLog();
    ggml_backend_load_all_from_path(PARITY_LLAMA_LIBRARY_FOLDER);
    llama_backend_init();
  });
}

ggml_type ReadType(const std::string& name, const char* key) {
  std::vector<std::string> known;
  for (int i = 0; i < GGML_TYPE_COUNT; ++i) {
    const auto type = static_cast<ggml_type>(i);
    if (ggml_type_name(type) == nullptr || ggml_type_size(type) == 0) continue;
    if (name == ggml_type_name(type)) return type;
    known.emplace_back(ggml_type_name(type));
  }
  throw Invalid("config." + std::string(key) + " is \"" + name +
                "\", expected a type of ggml: " + Joined(known));
}

}  // namespace

Session::Session(const EngineConfig& config) : config_(config), rpc_servers_(config.rpc_servers) {
  BeginBackends();
  ForgetLog();
  LoadModel();
  MakeContext();
}

void Session::LoadModel() {
  if (!std::filesystem::is_regular_file(config_.model)) {
    throw Invalid("config.model: no file \"" + config_.model + "\", expected a model in GGUF");
  }
  std::vector<std::string> endpoints = config_.rpc;
  endpoints.insert(endpoints.end(), rpc_servers_.endpoints().begin(),
                   rpc_servers_.endpoints().end());
  std::vector<ggml_backend_dev_t> devices = FindDevices(config_.devices, endpoints);
  const std::int32_t layers = devices.empty() ? 0 : kAllLayers;
  devices.push_back(nullptr);
  llama_model_params params = llama_model_default_params();
  params.devices = devices.data();
  params.n_gpu_layers = static_cast<std::int32_t>(config_.gpu_layers.value_or(layers));
  compat::SetSplitMode(&params, config_.split_mode);
  model_.reset(llama_model_load_from_file(config_.model.c_str(), params));
  if (!model_) throw Failed("cannot load \"" + config_.model + "\": " + LogTail());
}

void Session::MakeContext() {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = config_.context * config_.sequences;
  params.n_batch = config_.batch;
  params.n_ubatch = config_.ubatch;
  params.n_seq_max = config_.sequences;
  params.n_threads = params.n_threads_batch = static_cast<std::int32_t>(config_.threads);
  params.type_k = ReadType(config_.type_k, "type_k");
  params.type_v = ReadType(config_.type_v, "type_v");
  compat::SetFlashAttention(&params, config_.flash_attention);
  compat::SetUnified(&params, config_.kv_unified);
  params.cb_eval = OnNode;
  params.cb_eval_user_data = this;
  params.abort_callback = Aborts;
  params.abort_callback_data = this;
  context_.reset(llama_init_from_model(model_.get(), params));
  if (!context_) {
    throw RefusedError({"context", LastLogError(), "{}"}, "cannot make a context: " + LogTail());
  }
  stream_cells_ = compat::StreamCells(context_.get(), params);
}

void Session::Decode(DecodeRows rows, EvalHook* hook) {
  const std::size_t count = rows.tokens.size();
  std::vector<std::int32_t> one(count, 1);
  std::vector<llama_seq_id*> sequences;
  for (llama_seq_id& id : rows.sequences) sequences.push_back(&id);
  std::vector<std::int8_t> wanted(count, 1);
  llama_batch batch{};
  batch.n_tokens = static_cast<std::int32_t>(count);
  batch.token = rows.tokens.data();
  batch.pos = rows.positions.data();
  batch.n_seq_id = one.data();
  batch.seq_id = sequences.data();
  batch.logits = wanted.data();
  ForgetLog();
  thrown_ = nullptr;
  hook_ = hook;
  const int code = llama_decode(context_.get(), batch);
  llama_synchronize(context_.get());
  hook_ = nullptr;
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  // Behind an early stop llama_decode may well return 0, and logits be anything.
  if (cancelled_.exchange(false)) throw EngineError(PARITY_CANCELLED, "cancelled in llama_decode");
  if (code != 0) ThrowDecodeError(code, count);
}

void Session::ThrowDecodeError(int code, std::size_t rows) const {
  if (code == 1) {
    throw RefusedError({"kv_slot", "the KV cache has room for the batch",
                        "{\"rows\": " + std::to_string(rows) + "}"},
                       "llama_decode found no room in the KV cache for " + std::to_string(rows) +
                           " rows; " + LogTail());
  }
  throw Failed("llama_decode of " + std::to_string(rows) + " rows returned " +
               std::to_string(code) + "; " + LogTail());
}

bool Session::OnNode(ggml_tensor* node, bool ask, void* user) noexcept {
  auto& session = *static_cast<Session*>(user);
  if (session.hook_ == nullptr || session.thrown_) return false;
  try {
    if (ask) return session.hook_->Wants(*node);
    session.hook_->Computed(*node);
    return !session.cancelled_;
  } catch (...) {
    session.thrown_ = std::current_exception();
    return false;
  }
}

bool Session::Aborts(void* user) noexcept {
  const auto& session = *static_cast<Session*>(user);
  return session.cancelled_ || session.thrown_ != nullptr;
}

const float* Session::Logits(std::size_t row) const {
  const float* logits = llama_get_logits_ith(context_.get(), static_cast<std::int32_t>(row));
  if (logits == nullptr) {
    throw Failed("llama.cpp has no logits of row " + std::to_string(row) + "; " + LogTail());
  }
  return logits;
}

void Session::RemoveFrom(std::uint32_t slot, std::uint64_t position) {
  const bool removed = compat::RemoveFrom(context_.get(), static_cast<llama_seq_id>(slot),
                                          static_cast<llama_pos>(position));
  if (removed) return;
  throw RefusedError(
      {"remove_cells", "the memory gives up the end of a sequence",
       "{\"slot\": " + std::to_string(slot) + ", \"position\": " + std::to_string(position) + "}"},
      "a step of slot " + std::to_string(slot) + " cannot be repeated from position " +
          std::to_string(position) +
          ": this model's memory gives up whole sequences "
          "only");
}

void Session::Clear() { compat::Clear(context_.get()); }

EngineLimits Session::limits() const {
  return {config_.batch, config_.sequences, config_.context,
          static_cast<std::uint64_t>(llama_vocab_n_tokens(vocabulary()))};
}

std::uint64_t Session::layers() const {
  return static_cast<std::uint64_t>(llama_model_n_layer(model_.get()));
}

}  // namespace parity::llama_cpp
