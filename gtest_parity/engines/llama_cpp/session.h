// A model and a context of llama.cpp, as the configuration wants them.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_SESSION_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_SESSION_H_

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gtest_parity/engines/llama_cpp/config.h"
#include "gtest_parity/engines/llama_cpp/description.h"
#include "gtest_parity/engines/llama_cpp/eval_hook.h"
#include "gtest_parity/engines/llama_cpp/rpc_servers.h"
#include "llama.h"

namespace parity::llama_cpp {

// Tokens of one decode, with the sequence that each belongs to.
struct DecodeRows {
  std::vector<llama_token> tokens;
  std::vector<llama_pos> positions;
  std::vector<llama_seq_id> sequences;
};

class Session {
 public:
  // Throws EngineError with llama.cpp's own words.
  explicit Session(const EngineConfig& config);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Computes the logits of every row. The hook, where there is one, is told of every node; what it
  // throws ends the decode and is thrown on. Throws RefusedError (guard `kv_slot`) where the cache
  // has no room, EngineError (PARITY_CANCELLED) after Cancel, else PARITY_FAILED.
  void Decode(DecodeRows rows, EvalHook* hook);
  // Of a row of the last decode, [vocabulary].
  const float* Logits(std::size_t row) const;

  void RemoveFrom(std::uint32_t slot, std::uint64_t position);
  void Clear();
  // From any thread.
  void Cancel() { cancelled_ = true; }
  void TakeBackCancel() { cancelled_ = false; }

  EngineLimits limits() const;
  std::uint64_t layers() const;
  // See OrderRows.
  std::uint64_t stream_cells() const { return stream_cells_; }
  const llama_vocab* vocabulary() const { return llama_model_get_vocab(model_.get()); }
  llama_context* context() const { return context_.get(); }
  const EngineConfig& config() const { return config_; }

 private:
  struct FreeModel {
    void operator()(llama_model* model) const { llama_model_free(model); }
  };
  struct FreeContext {
    void operator()(llama_context* context) const { llama_free(context); }
  };

  void LoadModel();
  void MakeContext();
  static bool OnNode(ggml_tensor* node, bool ask, void* user) noexcept;
  static bool Aborts(void* user) noexcept;
  [[noreturn]] void ThrowDecodeError(int code, std::size_t rows) const;

  EngineConfig config_;
  RpcServers rpc_servers_;  // outlive the model, which lies there
  std::unique_ptr<llama_model, FreeModel> model_;
  std::unique_ptr<llama_context, FreeContext> context_;
  std::uint64_t stream_cells_ = 0;
  EvalHook* hook_ = nullptr;
  std::exception_ptr thrown_;  // by the hook: nothing may unwind through ggml
  std::atomic<bool> cancelled_{false};
};

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_SESSION_H_
