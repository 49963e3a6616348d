// The op table of `fused`: projections with what follows them, and streaming attention.
#include "gtest_parity/engines/tiny/fused/ops.h"
#include "gtest_parity/engines/tiny/model_tensors.h"
#include "gtest_parity/engines/tiny/plugin.h"

namespace parity::tiny {
namespace {

std::vector<OpSpec> LayerOps(std::uint64_t layer) {
  const auto at = [layer](const char* name) { return InLayer(layer, name); };
  const std::string k_cache = at("k"), v_cache = at("v");
  std::vector<OpSpec> ops = {
      {"rms_norm", at("attn_norm"), {"h", at("attn_norm.weight")}, {"x"}, {}, fused::RmsNorm},
      {"qkv_rope_append",
       at("qkv"),
       {"x", at("q.weight"), at("k.weight"), at("v.weight"), "cos", "sin", "positions", "row_seq",
        "block_table"},
       {"q"},
       {k_cache, v_cache},
       fused::QkvRopeAppend},
      {"attention",
       at("attention"),
       {"q", k_cache, v_cache, "positions", "row_seq", "block_table"},
       {"attn"},
       {},
       fused::Attention},
      {"linear", at("o"), {"attn", at("o.weight")}, {"partial"}, {}, fused::Linear},
      {"all_reduce", at("o_reduce"), {}, {}, {"partial"}, fused::AllReduce},
      {"add", at("attn_residual"), {"partial"}, {}, {"h"}, fused::Add},
      {"rms_norm", at("mlp_norm"), {"h", at("mlp_norm.weight")}, {"x"}, {}, fused::RmsNorm},
      {"gate_up_silu",
       at("gate_up"),
       {"x", at("gate.weight"), at("up.weight")},
       {"act"},
       {},
       fused::GateUpSilu},
      {"linear", at("down"), {"act", at("down.weight")}, {"partial"}, {}, fused::Linear},
      {"all_reduce", at("down_reduce"), {}, {}, {"partial"}, fused::AllReduce},
      {"add", at("mlp_residual"), {"partial"}, {}, {"h"}, fused::Add},
  };
  for (OpSpec& op : ops) op.layer = static_cast<int>(layer);
  return ops;
}

std::vector<OpSpec> StepOps(const ModelShape& model) {
  std::vector<OpSpec> ops = {
      {"embed", "embed", {"tokens", "embed.weight"}, {"h"}, {}, fused::Embed},
      {"rope_rows",
       "rope_rows",
       {"positions", "rope_cos", "rope_sin"},
       {"cos", "sin"},
       {},
       fused::RopeRows},
  };
  for (std::uint64_t layer = 0; layer < model.layers; ++layer) {
    for (OpSpec& op : LayerOps(layer)) ops.push_back(std::move(op));
  }
  ops.push_back({"rms_norm", "final_norm", {"h", "final_norm.weight"}, {"x"}, {}, fused::RmsNorm});
  ops.push_back({"linear", "logits", {"x", "embed.weight"}, {"logits"}, {}, fused::Linear});
  ops.push_back(
      {"argmax", "next_token", {"logits", "last_row"}, {"next_token"}, {}, fused::Argmax});
  return ops;
}

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  EngineSpec spec = CommonSpec("fused", model, activation);
  const OpSpec table{"rope_table", "rope_table",    {}, {"rope_cos", "rope_sin"},
                     {},           fused::RopeTable};
  spec.programs = {{"setup", true, {table}},
                   {"prefill", false, StepOps(model)},
                   {"decode", false, StepOps(model)}};
  return spec;
}

}  // namespace

const EngineDefinition kEngine = {"fused", Build, MutantHost::kCandidate};

}  // namespace parity::tiny
