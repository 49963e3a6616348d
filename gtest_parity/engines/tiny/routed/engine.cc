#include "gtest_parity/engines/tiny/paged/ops.h"
#include "gtest_parity/engines/tiny/plugin.h"
#include "gtest_parity/engines/tiny/routed.h"
#include "gtest_parity/engines/tiny/routed/ops.h"

namespace parity::tiny {
namespace {

constexpr TextbookOps kTextbook = {
    .rope_table = paged::RopeTable,
    .embed = paged::Embed,
    .rope_rows = paged::RopeRows,
    .rms_norm = paged::RmsNorm,
    .linear = paged::Linear,
    .rope = paged::Rope,
    .kv_append = paged::Append,
    .attention = paged::Attention,
    .all_reduce = paged::AllReduce,
    .add = paged::Add,
    .silu_mul = nullptr,
    .argmax = nullptr,
};

constexpr RoutedOps kRouted = {
    .router_weight = routed::InitRouter,
    .top_experts = routed::TopExperts,
    .expert_weights = routed::ExpertWeights,
    .expert_act = routed::ExpertAct,
    .expert_down = routed::ExpertDown,
    .append_tokens = routed::AppendTokens,
    .draft = routed::Draft,
    .place_drafts = routed::PlaceDrafts,
    .choose = routed::Choose,
    .last_choice = routed::LastChoice,
    .accept = routed::Accept,
};

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  return RoutedSpec("routed", model, activation, kTextbook, kRouted);
}

}  // namespace

const EngineDefinition kEngine = {
    .name = "routed", .build = Build, .mutants = MutantHost::kReference, .experts = kExperts};

}  // namespace parity::tiny
