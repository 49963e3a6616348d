// The op table of `contiguous`: one slot of memory per sequence, q, k and v in one product.
#include <algorithm>
#include <utility>

#include "gtest_parity/engines/tiny/contiguous/ops.h"
#include "gtest_parity/engines/tiny/model_tensors.h"
#include "gtest_parity/engines/tiny/plugin.h"

namespace parity::tiny {
namespace {

using namespace contiguous;

constexpr std::uint64_t kSlotTokens = kPageCount * kPageTokens / kMaxSequences;

std::uint64_t RowInSlot(const std::vector<std::uint64_t>& dims, const StagedSequence& sequence,
                        std::uint64_t position, std::uint64_t head) {
  return (sequence.slot * dims[1] + head) * dims[2] + position;
}

std::vector<OpSpec> LayerOps(std::uint64_t layer) {
  const auto at = [layer](const char* name) { return InLayer(layer, name); };
  const std::string k = at("k"), v = at("v");
  std::vector<OpSpec> ops = {
      {"rms_norm", at("attn_norm"), {"h", at("attn_norm.weight")}, {"x"}, {}, RmsNorm},
      {"qkv_linear", at("qkv"), {"x", at("qkv.weight")}, {"qkv"}, {}, Project},
      {"rope", at("rope"), {"cos", "sin"}, {}, {"qkv/q", "qkv/k"}, Rope},
      {"kv_store", at("store"), {"qkv/k", "qkv/v", "positions", "row_slot"}, {}, {k, v}, Store},
      {"attention",
       at("attention"),
       {"qkv/q", k, v, "positions", "row_slot"},
       {"attn"},
       {},
       Attention},
      {"linear", at("o"), {"attn", at("o.weight")}, {"partial"}, {}, ProjectHeads},
      {"all_reduce", at("o_reduce"), {}, {}, {"partial"}, AllReduce},
      {"add", at("attn_residual"), {"partial"}, {}, {"h"}, Add},
      {"rms_norm", at("mlp_norm"), {"h", at("mlp_norm.weight")}, {"x"}, {}, RmsNorm},
      {"linear", at("gate"), {"x", at("gate.weight")}, {"gate"}, {}, Project},
      {"linear", at("up"), {"x", at("up.weight")}, {"up"}, {}, Project},
      {"silu_mul", at("silu_mul"), {"gate", "up"}, {"act"}, {}, SiluMul},
      {"linear", at("down"), {"act", at("down.weight")}, {"partial"}, {}, Project},
      {"all_reduce", at("down_reduce"), {}, {}, {"partial"}, AllReduce},
      {"add", at("mlp_residual"), {"partial"}, {}, {"h"}, Add},
  };
  for (OpSpec& op : ops) op.layer = static_cast<int>(layer);
  return ops;
}

std::vector<OpSpec> StepOps(const ModelShape& model) {
  std::vector<OpSpec> ops = {
      {"embed", "embed", {"tokens", "embed.weight"}, {"h"}, {}, Embed},
      {"rope_rows",
       "rope_rows",
       {"positions", "rope_cos", "rope_sin"},
       {"cos", "sin"},
       {},
       RopeRows},
  };
  for (std::uint64_t layer = 0; layer < model.layers; ++layer) {
    for (OpSpec& op : LayerOps(layer)) ops.push_back(std::move(op));
  }
  ops.push_back({"rms_norm", "final_norm", {"h", "final_norm.weight"}, {"x"}, {}, RmsNorm});
  ops.push_back({"linear", "logits", {"x", "embed.weight"}, {"logits"}, {}, Project});
  ops.push_back({"argmax", "next_token", {"logits", "last_row"}, {"next_token"}, {}, Argmax});
  return ops;
}

// [T, H + 2 G, E], each of q, k and v to be seen as the matrix that it is elsewhere.
TensorSpec FusedProjection(const ModelShape& model, parity_dtype activation) {
  const std::uint64_t heads = model.heads, kv_heads = model.kv_heads;
  TensorSpec qkv{"qkv", activation, {Rows(), PerRank(heads + 2 * kv_heads), model.head_dim}};
  qkv.slices = {{"q", 1, 0, PerRank(heads)},
                {"k", 1, PerRank(heads), PerRank(kv_heads)},
                {"v", 1, PerRank(heads + kv_heads), PerRank(kv_heads)}};
  for (const SliceSpec& slice : qkv.slices) {
    const Dim width = PerRank(slice.size.value * model.head_dim);
    qkv.views.push_back({slice.name, activation, {Rows(), width}, slice});
  }
  return qkv;
}

TensorSpec HeadMajorAttention(const ModelShape& model, parity_dtype activation) {
  TensorSpec attn{"attn", activation, {PerRank(model.heads), Rows(), model.head_dim}};
  attn.views = {
      {"attn", activation, {Rows(), PerRank(model.QueryWidth())}, std::nullopt, {1, 0, 2}}};
  return attn;
}

TensorSpec FusedWeight(const ModelShape& model, std::uint64_t layer) {
  const std::string stored = "model.layers." + std::to_string(layer) + ".self_attn.";
  TensorSpec weight{InLayer(layer, "qkv.weight"),
                    PARITY_BF16,
                    {PerRank(model.QueryWidth() + 2 * model.KeyWidth()), model.hidden},
                    "constant"};
  weight.weight_parts = {{stored + "q_proj.weight", model.QueryWidth()},
                         {stored + "k_proj.weight", model.KeyWidth()},
                         {stored + "v_proj.weight", model.KeyWidth()}};
  return weight;
}

void Remove(const std::vector<std::string>& names, std::vector<TensorSpec>& tensors) {
  std::erase_if(tensors, [&](const TensorSpec& tensor) {
    return std::find(names.begin(), names.end(), tensor.name) != names.end();
  });
}

void LayOut(const ModelShape& model, parity_dtype activation, EngineSpec& spec) {
  Remove({"row_seq", "block_table", "q", "attn"}, spec.buffers);
  TensorSpec row_slot{"row_slot", PARITY_I32, {Rows()}, "input", true};
  row_slot.domain = Domain{0, kMaxSequences - 1};
  spec.buffers.push_back(row_slot);
  spec.buffers.push_back(FusedProjection(model, activation));
  spec.buffers.push_back(HeadMajorAttention(model, activation));
  spec.buffers.push_back({"gate", activation, {Rows(), PerRank(model.intermediate)}});
  spec.buffers.push_back({"up", activation, {Rows(), PerRank(model.intermediate)}});
  for (std::uint64_t layer = 0; layer < model.layers; ++layer) {
    Remove({InLayer(layer, "q.weight"), InLayer(layer, "k.weight"), InLayer(layer, "v.weight")},
           spec.buffers);
    spec.buffers.push_back(FusedWeight(model, layer));
  }
  for (TensorSpec& cache : spec.states) {
    cache.shape = {kMaxSequences, PerRank(model.kv_heads), kSlotTokens, model.head_dim};
    cache.views = {KvViewOf(cache.name, model, activation, RowInSlot)};
  }
  spec.paged = false;
  spec.sequence_limit = kSlotTokens;
}

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  EngineSpec spec = CommonSpec("contiguous", model, activation);
  LayOut(model, activation, spec);
  const OpSpec table{"rope_table", "rope_table", {}, {"rope_cos", "rope_sin"}, {}, RopeTable};
  spec.programs = {{"setup", true, {table}},
                   {"prefill", false, StepOps(model)},
                   {"decode", false, StepOps(model)}};
  return spec;
}

}  // namespace

const EngineDefinition kEngine = {"contiguous", Build, MutantHost::kCandidate};

}  // namespace parity::tiny
