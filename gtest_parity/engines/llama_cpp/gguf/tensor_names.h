// What a Llama's tensors are called in a Hugging Face folder and in a GGUF, where N is the layer:
//
//   model.embed_tokens.weight                         token_embd.weight
//   model.layers.N.input_layernorm.weight             blk.N.attn_norm.weight
//   model.layers.N.self_attn.q_proj.weight            blk.N.attn_q.weight        rows permuted
//   model.layers.N.self_attn.k_proj.weight            blk.N.attn_k.weight        rows permuted
//   model.layers.N.self_attn.v_proj.weight            blk.N.attn_v.weight
//   model.layers.N.self_attn.o_proj.weight            blk.N.attn_output.weight
//   model.layers.N.post_attention_layernorm.weight    blk.N.ffn_norm.weight
//   model.layers.N.mlp.gate_proj.weight               blk.N.ffn_gate.weight
//   model.layers.N.mlp.up_proj.weight                 blk.N.ffn_up.weight
//   model.layers.N.mlp.down_proj.weight               blk.N.ffn_down.weight
//   model.norm.weight                                 output_norm.weight
//   lm_head.weight                                    output.weight              none where it is
//   tied
//
// (llama.cpp's gguf-py/gguf/tensor_mapping.py and src/llama-arch.cpp.)
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_TENSOR_NAMES_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_TENSOR_NAMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest_parity/engines/llama_cpp/gguf/llama_config.h"

namespace parity::gguf {

struct NamedTensor {
  std::string source;                // in model.safetensors
  std::string name;                  // in the GGUF
  std::vector<std::uint64_t> shape;  // as model.safetensors has it: rows, columns
  std::uint32_t permuted_heads = 0;  // how many heads' rows are reordered, 0: none
};

// All of a model, in the order in which they are written.
std::vector<NamedTensor> TensorsOf(const LlamaConfig& config);

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_TENSOR_NAMES_H_
