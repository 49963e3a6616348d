#include "gtest_parity/engines/tiny/cuda/cuda_backend.h"
#include "gtest_parity/engines/tiny/cuda/fused/ops.h"
#include "gtest_parity/engines/tiny/cuda/paged/ops.h"
#include "gtest_parity/engines/tiny/fused/fused_spec.h"
#include "gtest_parity/engines/tiny/plugin.h"

namespace parity::tiny {
namespace {

constexpr FusedOps kOps = {
    .rope_table = cuda::paged::RopeTable,
    .rope_rows = cuda::paged::RopeRows,
    .embed = cuda::paged::Embed,
    .rms_norm = cuda::fused::RmsNorm,
    .linear = cuda::paged::Linear,
    .attention = cuda::fused::Attention,
    .all_reduce = cuda::paged::AllReduce,
    .add = cuda::paged::Add,
    .argmax = cuda::paged::Argmax,
    .qkv_rope_append = cuda::fused::QkvRopeAppend,
    .gate_up_silu = cuda::fused::GateUpSilu,
};

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  return FusedSpec(model, activation, kOps);
}

}  // namespace

const EngineDefinition kEngine = {.name = "fused",
                                  .build = Build,
                                  .mutants = MutantHost::kCandidate,
                                  .backend = cuda::MakeCudaBackend,
                                  .rendezvous = cuda::NcclRendezvous};

}  // namespace parity::tiny
