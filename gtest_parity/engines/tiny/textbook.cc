#include "gtest_parity/engines/tiny/textbook.h"

#include <utility>

#include "gtest_parity/engines/tiny/model_tensors.h"

namespace parity::tiny {

std::vector<OpSpec> AttentionOps(const TextbookOps& run, std::uint64_t layer) {
  const auto at = [layer](const char* name) { return InLayer(layer, name); };
  const std::string k_cache = at("k"), v_cache = at("v");
  return {
      {"rms_norm", at("attn_norm"), {"h", at("attn_norm.weight")}, {"x"}, {}, run.rms_norm},
      {"linear", at("q"), {"x", at("q.weight")}, {"q"}, {}, run.linear},
      {"linear", at("k"), {"x", at("k.weight")}, {"k"}, {}, run.linear},
      {"linear", at("v"), {"x", at("v.weight")}, {"v"}, {}, run.linear},
      {"rope", at("rope"), {"cos", "sin"}, {}, {"q", "k"}, run.rope},
      {"kv_append",
       at("append"),
       {"k", "v", "positions", "row_seq", "block_table"},
       {},
       {k_cache, v_cache},
       run.kv_append},
      {"attention",
       at("attention"),
       {"q", k_cache, v_cache, "positions", "row_seq", "block_table"},
       {"attn"},
       {},
       run.attention},
      {"linear", at("o"), {"attn", at("o.weight")}, {"partial"}, {}, run.linear},
      {"all_reduce", at("o_reduce"), {}, {}, {"partial"}, run.all_reduce},
      {"add", at("attn_residual"), {"partial"}, {}, {"h"}, run.add},
  };
}

namespace {

std::vector<OpSpec> FeedForwardOps(const TextbookOps& run, std::uint64_t layer) {
  const auto at = [layer](const char* name) { return InLayer(layer, name); };
  return {
      {"rms_norm", at("mlp_norm"), {"h", at("mlp_norm.weight")}, {"x"}, {}, run.rms_norm},
      {"linear", at("gate"), {"x", at("gate.weight")}, {"gate"}, {}, run.linear},
      {"linear", at("up"), {"x", at("up.weight")}, {"up"}, {}, run.linear},
      {"silu_mul", at("silu_mul"), {"gate", "up"}, {"act"}, {}, run.silu_mul},
      {"linear", at("down"), {"act", at("down.weight")}, {"partial"}, {}, run.linear},
      {"all_reduce", at("down_reduce"), {}, {}, {"partial"}, run.all_reduce},
      {"add", at("mlp_residual"), {"partial"}, {}, {"h"}, run.add},
  };
}

std::vector<OpSpec> LayerOps(const TextbookOps& run, std::uint64_t layer) {
  std::vector<OpSpec> ops = AttentionOps(run, layer);
  for (OpSpec& op : FeedForwardOps(run, layer)) ops.push_back(std::move(op));
  for (OpSpec& op : ops) op.layer = static_cast<int>(layer);
  return ops;
}

std::vector<OpSpec> StepOps(const TextbookOps& run, const ModelShape& model) {
  std::vector<OpSpec> ops = {
      {"embed", "embed", {"tokens", "embed.weight"}, {"h"}, {}, run.embed},
      {"rope_rows",
       "rope_rows",
       {"positions", "rope_cos", "rope_sin"},
       {"cos", "sin"},
       {},
       run.rope_rows},
  };
  for (std::uint64_t layer = 0; layer < model.layers; ++layer) {
    for (OpSpec& op : LayerOps(run, layer)) ops.push_back(std::move(op));
  }
  ops.push_back({"rms_norm", "final_norm", {"h", "final_norm.weight"}, {"x"}, {}, run.rms_norm});
  ops.push_back({"linear", "logits", {"x", "embed.weight"}, {"logits"}, {}, run.linear});
  ops.push_back({"argmax", "next_token", {"logits", "last_row"}, {"next_token"}, {}, run.argmax});
  return ops;
}

}  // namespace

EngineSpec TextbookSpec(const char* engine, const ModelShape& model, parity_dtype activation,
                        const TextbookOps& ops) {
  EngineSpec spec = CommonSpec(engine, model, activation);
  const Dim key = PerRank(model.KeyWidth());
  const Dim wide = PerRank(model.intermediate);
  spec.buffers.push_back({"k", activation, {Rows(), key}});
  spec.buffers.push_back({"v", activation, {Rows(), key}});
  spec.buffers.push_back({"gate", activation, {Rows(), wide}});
  spec.buffers.push_back({"up", activation, {Rows(), wide}});
  const OpSpec table{"rope_table", "rope_table", {}, {"rope_cos", "rope_sin"}, {}, ops.rope_table};
  spec.programs = {{"setup", true, {table}},
                   {"prefill", false, StepOps(ops, model)},
                   {"decode", false, StepOps(ops, model)}};
  return spec;
}

}  // namespace parity::tiny
