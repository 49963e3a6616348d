#include "gtest_parity/engines/tiny/plugin.h"
#include "gtest_parity/engines/tiny/ported/ops.h"
#include "gtest_parity/engines/tiny/routed.h"
#include "gtest_parity/engines/tiny/routed_ported/ops.h"

namespace parity::tiny {
namespace {

constexpr TextbookOps kTextbook = {
    .rope_table = ported::AnglesKernel,
    .embed = ported::EmbedKernel,
    .rope_rows = ported::GatherKernel,
    .rms_norm = ported::NormKernel,
    .linear = ported::MatmulKernel,
    .rope = ported::RotateKernel,
    .kv_append = ported::ScatterKernel,
    .attention = ported::AttendKernel,
    .all_reduce = ported::ReduceKernel,
    .add = ported::ResidualKernel,
    .silu_mul = nullptr,
    .argmax = nullptr,
};

constexpr RoutedOps kRouted = {
    .router_weight = routed_ported::RouterKernel,
    .top_experts = routed_ported::TopTwoKernel,
    .expert_weights = routed_ported::GatingKernel,
    .expert_act = routed_ported::ActivateKernel,
    .expert_down = routed_ported::CombineKernel,
    .append_tokens = routed_ported::RememberKernel,
    .draft = routed_ported::LookupKernel,
    .place_drafts = routed_ported::SpreadKernel,
    .choose = routed_ported::BestKernel,
    .last_choice = routed_ported::TakeLastKernel,
    .accept = routed_ported::VerifyKernel,
};

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  return RoutedSpec("routed_ported", model, activation, kTextbook, kRouted);
}

}  // namespace

const EngineDefinition kEngine = {.name = "routed_ported",
                                  .build = Build,
                                  .mutants = MutantHost::kCandidate,
                                  .experts = kExperts};

}  // namespace parity::tiny
