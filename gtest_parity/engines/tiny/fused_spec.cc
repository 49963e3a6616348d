#include "gtest_parity/engines/tiny/fused/fused_spec.h"

#include <utility>

#include "gtest_parity/engines/tiny/model_tensors.h"

namespace parity::tiny {
namespace {

std::vector<OpSpec> LayerOps(const FusedOps& run, std::uint64_t layer) {
  const auto at = [layer](const char* name) { return InLayer(layer, name); };
  const std::string k_cache = at("k"), v_cache = at("v");
  std::vector<OpSpec> ops = {
      {"rms_norm", at("attn_norm"), {"h", at("attn_norm.weight")}, {"x"}, {}, run.rms_norm},
      {"qkv_rope_append",
       at("qkv"),
       {"x", at("q.weight"), at("k.weight"), at("v.weight"), "cos", "sin", "positions", "row_seq",
        "block_table"},
       {"q"},
       {k_cache, v_cache},
       run.qkv_rope_append},
      {"attention",
       at("attention"),
       {"q", k_cache, v_cache, "positions", "row_seq", "block_table"},
       {"attn"},
       {},
       run.attention},
      {"linear", at("o"), {"attn", at("o.weight")}, {"partial"}, {}, run.linear},
      {"all_reduce", at("o_reduce"), {}, {}, {"partial"}, run.all_reduce},
      {"add", at("attn_residual"), {"partial"}, {}, {"h"}, run.add},
      {"rms_norm", at("mlp_norm"), {"h", at("mlp_norm.weight")}, {"x"}, {}, run.rms_norm},
      {"gate_up_silu",
       at("gate_up"),
       {"x", at("gate.weight"), at("up.weight")},
       {"act"},
       {},
       run.gate_up_silu},
      {"linear", at("down"), {"act", at("down.weight")}, {"partial"}, {}, run.linear},
      {"all_reduce", at("down_reduce"), {}, {}, {"partial"}, run.all_reduce},
      {"add", at("mlp_residual"), {"partial"}, {}, {"h"}, run.add},
  };
  for (OpSpec& op : ops) op.layer = static_cast<int>(layer);
  return ops;
}

std::vector<OpSpec> StepOps(const FusedOps& run, const ModelShape& model) {
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

EngineSpec FusedSpec(const ModelShape& model, parity_dtype activation, const FusedOps& ops) {
  EngineSpec spec = CommonSpec("fused", model, activation);
  const OpSpec table{"rope_table", "rope_table", {}, {"rope_cos", "rope_sin"}, {}, ops.rope_table};
  spec.programs = {{"setup", true, {table}},
                   {"prefill", false, StepOps(ops, model)},
                   {"decode", false, StepOps(ops, model)}};
  return spec;
}

}  // namespace parity::tiny
