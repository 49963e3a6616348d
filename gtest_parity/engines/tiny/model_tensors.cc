#include "gtest_parity/engines/tiny/model_tensors.h"

namespace parity::tiny {
namespace {

constexpr bool kReplicated = true;
constexpr bool kSplit = false;

TensorSpec Input(const char* name, std::vector<Dim> shape, std::int64_t min, std::uint64_t max) {
  return {name,    PARITY_I32,  std::move(shape),
          "input", kReplicated, Domain{min, static_cast<std::int64_t>(max)},
          ""};
}

TensorSpec Weight(const std::string& name, std::vector<Dim> shape, bool replicated,
                  const std::string& stored) {
  return {name, PARITY_BF16, std::move(shape), "constant", replicated, std::nullopt, stored};
}

TensorSpec Workspace(const char* name, parity_dtype dtype, Dim columns, bool replicated) {
  return {name, dtype, {Rows(), columns}, "workspace", replicated};
}

// Attention's share of an extent: heads are split, or every rank has them all.
Dim OfHeads(std::uint64_t extent, Parallel parallel) {
  return parallel == Parallel::kTensor ? PerRank(extent) : Dim(extent);
}

void AddLayerWeights(const ModelShape& model, std::uint64_t layer, Parallel parallel,
                     std::vector<TensorSpec>& tensors) {
  const std::string stored = "model.layers." + std::to_string(layer) + ".";
  const auto add = [&](const char* name, std::vector<Dim> shape, bool replicated,
                       const char* stored_name) {
    tensors.push_back(Weight(InLayer(layer, name), std::move(shape), replicated,
                             stored + stored_name + ".weight"));
  };
  const std::uint64_t hidden = model.hidden;
  const Dim query = OfHeads(model.QueryWidth(), parallel);
  const Dim key = OfHeads(model.KeyWidth(), parallel);
  const bool heads = parallel == Parallel::kExperts ? kReplicated : kSplit;
  const Dim wide = PerRank(model.intermediate);
  add("attn_norm.weight", {hidden}, kReplicated, "input_layernorm");
  add("q.weight", {query, hidden}, heads, "self_attn.q_proj");
  add("k.weight", {key, hidden}, heads, "self_attn.k_proj");
  add("v.weight", {key, hidden}, heads, "self_attn.v_proj");
  add("o.weight", {hidden, query}, heads, "self_attn.o_proj");
  add("mlp_norm.weight", {hidden}, kReplicated, "post_attention_layernorm");
  add("gate.weight", {wide, hidden}, kSplit, "mlp.gate_proj");
  add("up.weight", {wide, hidden}, kSplit, "mlp.up_proj");
  add("down.weight", {hidden, wide}, kSplit, "mlp.down_proj");
}

std::vector<TensorSpec> InputTensors(const ModelShape& model) {
  return {Input("tokens", {Rows()}, 0, model.vocabulary - 1),
          Input("positions", {Rows()}, 0, model.context - 1),
          Input("row_seq", {Rows()}, 0, kMaxSequences - 1),
          Input("block_table", {Sequences(), kPageCount}, kNoPage, kPageCount - 1),
          Input("last_row", {Sequences()}, 0, kMaxRows - 1)};
}

std::vector<TensorSpec> WeightTensors(const ModelShape& model, Parallel parallel) {
  std::vector<TensorSpec> tensors = {Weight("embed.weight", {model.vocabulary, model.hidden},
                                            kReplicated, "model.embed_tokens.weight")};
  for (std::uint64_t layer = 0; layer < model.layers; ++layer) {
    AddLayerWeights(model, layer, parallel, tensors);
  }
  tensors.push_back(Weight("final_norm.weight", {model.hidden}, kReplicated, "model.norm.weight"));
  return tensors;
}

std::vector<TensorSpec> StepTensors(const ModelShape& model, parity_dtype activation,
                                    Parallel parallel) {
  const Dim query = OfHeads(model.QueryWidth(), parallel);
  const bool heads = parallel == Parallel::kExperts ? kReplicated : kSplit;
  const std::uint64_t pairs = model.head_dim / 2;
  const Domain vocabulary{0, static_cast<std::int64_t>(model.vocabulary) - 1};
  return {{"rope_cos", PARITY_F32, {model.context, pairs}, "carry", kReplicated},
          {"rope_sin", PARITY_F32, {model.context, pairs}, "carry", kReplicated},
          Workspace("cos", PARITY_F32, pairs, kReplicated),
          Workspace("sin", PARITY_F32, pairs, kReplicated),
          Workspace("h", activation, model.hidden, kReplicated),
          Workspace("x", activation, model.hidden, kReplicated),
          Workspace("q", activation, query, heads),
          Workspace("attn", activation, query, heads),
          Workspace("act", activation, PerRank(model.intermediate), kSplit),
          Workspace("partial", PARITY_F32, model.hidden, kSplit),
          {"logits", PARITY_F32, {Rows(), model.vocabulary}, "logits", kReplicated},
          {"next_token", PARITY_I32, {Sequences()}, "output", kReplicated, vocabulary}};
}

std::vector<TensorSpec> CacheTensors(const ModelShape& model, parity_dtype activation,
                                     Parallel parallel) {
  std::vector<TensorSpec> tensors;
  for (std::uint64_t layer = 0; layer < model.layers; ++layer) {
    for (const char* name : {"k", "v"}) {
      tensors.push_back(
          {InLayer(layer, name),
           activation,
           {kPageCount, kPageTokens, OfHeads(model.kv_heads, parallel), model.head_dim},
           "",
           parallel == Parallel::kExperts ? kReplicated : kSplit});
    }
  }
  return tensors;
}

}  // namespace

std::string InLayer(std::uint64_t layer, const std::string& name) {
  return "layer" + std::to_string(layer) + "." + name;
}

ViewSpec KvViewOf(const std::string& name, const ModelShape& model, parity_dtype activation,
                  CacheRow row) {
  return {name,         activation, {KvTokens(), PerRank(model.kv_heads), model.head_dim},
          std::nullopt, {},         row};
}

EngineSpec CommonSpec(const char* engine, const ModelShape& model, parity_dtype activation,
                      Parallel parallel) {
  EngineSpec spec{
      engine, model, InputTensors(model), CacheTensors(model, activation, parallel), {}};
  for (const auto& tensors :
       {WeightTensors(model, parallel), StepTensors(model, activation, parallel)}) {
    spec.buffers.insert(spec.buffers.end(), tensors.begin(), tensors.end());
  }
  return spec;
}

}  // namespace parity::tiny
