// What versions of llama.cpp call otherwise. Members and functions are looked for by the compiler,
// in the headers of the installation that this is built for; no version is tested. Functions are
// found by their arguments' types, which is why everything is a template.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_COMPAT_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_COMPAT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "ggml-backend.h"
#include "gtest_parity/engines/llama_cpp/config.h"
#include "gtest_parity/engines/llama_cpp/error.h"
#include "llama.h"

namespace parity::llama_cpp::compat {

template <typename Context>
bool RemoveFrom(Context* context, llama_seq_id sequence, llama_pos position) {
  if constexpr (requires { llama_get_memory(context); }) {
    return llama_memory_seq_rm(llama_get_memory(context), sequence, position, -1);
  } else if constexpr (requires { llama_kv_self_seq_rm(context, sequence, position, -1); }) {
    return llama_kv_self_seq_rm(context, sequence, position, -1);
  } else {
    return llama_kv_cache_seq_rm(context, sequence, position, -1);
  }
}

template <typename Context>
void Clear(Context* context) {
  if constexpr (requires { llama_get_memory(context); }) {
    llama_memory_clear(llama_get_memory(context), true);
  } else if constexpr (requires { llama_kv_self_clear(context); }) {
    llama_kv_self_clear(context);
  } else {
    llama_kv_cache_clear(context);
  }
}

// Cells of the KV cache that belong to each sequence alone; 0: all are for all.
template <typename Context, typename Params>
std::uint64_t StreamCells(Context* context, const Params& params) {
  if constexpr (requires { params.kv_unified; }) {
    if (params.kv_unified || params.n_seq_max == 1) return 0;
    if constexpr (requires { llama_n_ctx_seq(context); }) return llama_n_ctx_seq(context);
    return llama_n_ctx(context) / params.n_seq_max;
  } else {
    return 0;
  }
}

template <typename Params>
void SetFlashAttention(Params* params, FlashAttention wanted) {
  if constexpr (requires { params->flash_attn_type; }) {
    const int type = wanted == FlashAttention::kAuto ? -1 : wanted == FlashAttention::kOn ? 1 : 0;
    params->flash_attn_type = static_cast<decltype(params->flash_attn_type)>(type);
  } else {
    if (wanted == FlashAttention::kAuto) {
      throw Unsupported(
          "config.flash_attention is \"auto\", this llama.cpp knows only \"on\" and \"off\"");
    }
    params->flash_attn = wanted == FlashAttention::kOn;
  }
}

template <typename Params>
void SetUnified(Params* params, const std::optional<bool>& unified) {
  if (!unified) return;
  if constexpr (requires { params->kv_unified; }) {
    params->kv_unified = *unified;
  } else if (!*unified) {
    throw Unsupported("config.kv_unified is false, this llama.cpp has one cache for all sequences");
  }
}

template <typename Params>
void SetSplitMode(Params* params, const std::string& mode) {
  using Mode = decltype(params->split_mode);
  if (mode == "none") params->split_mode = Mode::LLAMA_SPLIT_MODE_NONE;
  if (mode == "layer") params->split_mode = Mode::LLAMA_SPLIT_MODE_LAYER;
  if (mode == "row") params->split_mode = Mode::LLAMA_SPLIT_MODE_ROW;
  if (mode != "tensor") return;
  if constexpr (requires { Mode::LLAMA_SPLIT_MODE_TENSOR; }) {
    params->split_mode = Mode::LLAMA_SPLIT_MODE_TENSOR;
  } else {
    throw Unsupported("config.split_mode is \"tensor\", which this llama.cpp does not know");
  }
}

}  // namespace parity::llama_cpp::compat

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_COMPAT_H_
