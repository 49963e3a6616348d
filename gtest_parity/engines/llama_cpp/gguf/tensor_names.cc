#include "gtest_parity/engines/llama_cpp/gguf/tensor_names.h"

#include <utility>

namespace parity::gguf {
namespace {

void AddLayer(const LlamaConfig& config, std::uint32_t layer, std::vector<NamedTensor>* all) {
  const std::string from = "model.layers." + std::to_string(layer) + ".";
  const std::string to = "blk." + std::to_string(layer) + ".";
  const auto add = [&](const std::string& source, const std::string& name,
                       std::vector<std::uint64_t> shape, std::uint32_t permuted_heads = 0) {
    all->push_back(
        {from + source + ".weight", to + name + ".weight", std::move(shape), permuted_heads});
  };
  const std::uint64_t hidden = config.hidden, ff = config.intermediate;
  const std::uint64_t query = std::uint64_t{config.heads} * config.head_size;
  const std::uint64_t key = std::uint64_t{config.kv_heads} * config.head_size;
  add("input_layernorm", "attn_norm", {hidden});
  add("self_attn.q_proj", "attn_q", {query, hidden}, config.heads);
  add("self_attn.k_proj", "attn_k", {key, hidden}, config.kv_heads);
  add("self_attn.v_proj", "attn_v", {key, hidden});
  add("self_attn.o_proj", "attn_output", {hidden, query});
  add("post_attention_layernorm", "ffn_norm", {hidden});
  add("mlp.gate_proj", "ffn_gate", {ff, hidden});
  add("mlp.up_proj", "ffn_up", {ff, hidden});
  add("mlp.down_proj", "ffn_down", {hidden, ff});
}

}  // namespace

std::vector<NamedTensor> TensorsOf(const LlamaConfig& config) {
  const std::vector<std::uint64_t> words = {config.vocabulary, config.hidden};
  std::vector<NamedTensor> all = {{"model.embed_tokens.weight", "token_embd.weight", words}};
  for (std::uint32_t layer = 0; layer < config.layers; ++layer) AddLayer(config, layer, &all);
  all.push_back({"model.norm.weight", "output_norm.weight", {config.hidden}});
  if (!config.tied) all.push_back({"lm_head.weight", "output.weight", words});
  return all;
}

}  // namespace parity::gguf
