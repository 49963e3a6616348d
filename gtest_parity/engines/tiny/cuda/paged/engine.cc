#include "gtest_parity/engines/tiny/cuda/cuda_backend.h"
#include "gtest_parity/engines/tiny/cuda/paged/ops.h"
#include "gtest_parity/engines/tiny/paged/paged_spec.h"
#include "gtest_parity/engines/tiny/plugin.h"

namespace parity::tiny {
namespace {

constexpr TextbookOps kOps = {
    .rope_table = cuda::paged::RopeTable,
    .embed = cuda::paged::Embed,
    .rope_rows = cuda::paged::RopeRows,
    .rms_norm = cuda::paged::RmsNorm,
    .linear = cuda::paged::Linear,
    .rope = cuda::paged::Rope,
    .kv_append = cuda::paged::Append,
    .attention = cuda::paged::Attention,
    .all_reduce = cuda::paged::AllReduce,
    .add = cuda::paged::Add,
    .silu_mul = cuda::paged::SiluMul,
    .argmax = cuda::paged::Argmax,
};

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  return PagedSpec(model, activation, kOps);
}

}  // namespace

const EngineDefinition kEngine = {.name = "paged",
                                  .build = Build,
                                  .mutants = MutantHost::kReference,
                                  .backend = cuda::MakeCudaBackend,
                                  .rendezvous = cuda::NcclRendezvous};

}  // namespace parity::tiny
