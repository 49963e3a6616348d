#include "gtest_parity/engines/tiny/fused/ops.h"
#include "gtest_parity/engines/tiny/paged/ops.h"
#include "gtest_parity/engines/tiny/plugin.h"
#include "gtest_parity/engines/tiny/routed.h"
#include "gtest_parity/engines/tiny/routed/ops.h"
#include "gtest_parity/engines/tiny/routed_reordered/ops.h"

namespace parity::tiny {
namespace {

constexpr TextbookOps kTextbook = {
    .rope_table = fused::RopeTable,
    .embed = fused::Embed,
    .rope_rows = fused::RopeRows,
    .rms_norm = fused::RmsNorm,
    .linear = fused::Linear,
    .rope = paged::Rope,
    .kv_append = paged::Append,
    .attention = fused::Attention,
    .all_reduce = fused::AllReduce,
    .add = fused::Add,
    .silu_mul = nullptr,
    .argmax = nullptr,
};

constexpr RoutedOps kRouted = {
    .router_weight = routed::InitRouter,
    .top_experts = routed_reordered::Route,
    .expert_weights = nullptr,
    .expert_act = routed_reordered::ExpertAct,
    .expert_down = routed_reordered::ExpertDown,
    .append_tokens = routed::AppendTokens,
    .draft = routed::Draft,
    .place_drafts = routed::PlaceDrafts,
    .choose = routed::Choose,
    .last_choice = routed::LastChoice,
    .accept = routed::Accept,
};

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  return RoutedSpec("routed_reordered", model, activation, kTextbook, kRouted);
}

}  // namespace

const EngineDefinition kEngine = {.name = "routed_reordered",
                                  .build = Build,
                                  .mutants = MutantHost::kCandidate,
                                  .experts = kExperts};

}  // namespace parity::tiny
