#include "gtest_parity/engines/tiny/fused/fused_spec.h"
#include "gtest_parity/engines/tiny/fused/ops.h"
#include "gtest_parity/engines/tiny/plugin.h"

namespace parity::tiny {
namespace {

constexpr FusedOps kOps = {
    .rope_table = fused::RopeTable,
    .rope_rows = fused::RopeRows,
    .embed = fused::Embed,
    .rms_norm = fused::RmsNorm,
    .linear = fused::Linear,
    .attention = fused::Attention,
    .all_reduce = fused::AllReduce,
    .add = fused::Add,
    .argmax = fused::Argmax,
    .qkv_rope_append = fused::QkvRopeAppend,
    .gate_up_silu = fused::GateUpSilu,
};

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  return FusedSpec(model, activation, kOps);
}

}  // namespace

const EngineDefinition kEngine = {"fused", Build, MutantHost::kCandidate};

}  // namespace parity::tiny
