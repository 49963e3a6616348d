// What the manifest says of this side.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_CONFIG_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_CONFIG_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/engines/llama_cpp/cut.h"

namespace parity::llama_cpp {

enum class FlashAttention { kOff, kOn, kAuto };

struct EngineConfig {
  std::string model;  // a GGUF file
  std::uint32_t threads = 1;
  std::uint32_t batch = 512;               // rows of a step at most
  std::uint32_t ubatch = 512;              // rows that one graph computes at most
  std::uint32_t context = 512;             // tokens of one sequence at most
  std::uint32_t sequences = 8;             // sequences that live at a time
  std::uint32_t sequences_per_decode = 0;  // of a step; 0: all of them together
  FlashAttention flash_attention = FlashAttention::kOff;
  std::string type_k = "f16", type_v = "f16";  // of the KV cache, as ggml names types
  std::optional<bool> kv_unified;              // unset: llama.cpp's own default
  std::vector<std::string> devices;            // none, and no `rpc`: the CPU
  std::vector<std::string> rpc;                // endpoints, HOST:PORT
  std::uint32_t rpc_servers = 0;               // so many of its own, on loopback
  std::string split_mode = "layer";
  std::optional<std::uint32_t> gpu_layers;  // unset: all where there are devices, else none
  std::vector<CutTemplate> cuts = DefaultCuts();
};

// Throws EngineError (PARITY_INVALID) that says where, what, and what was expected.
EngineConfig ParseConfig(const char* text);

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_CONFIG_H_
