#include "gtest_parity/engines/tiny/cuda/cuda_backend.h"
#include "gtest_parity/engines/tiny/cuda/ported/ops.h"
#include "gtest_parity/engines/tiny/plugin.h"
#include "gtest_parity/engines/tiny/textbook.h"

namespace parity::tiny {
namespace {

constexpr TextbookOps kOps = {
    .rope_table = cuda::ported::RopeTable,
    .embed = cuda::ported::Embed,
    .rope_rows = cuda::ported::RopeRows,
    .rms_norm = cuda::ported::RmsNorm,
    .linear = cuda::ported::Linear,
    .rope = cuda::ported::Rope,
    .kv_append = cuda::ported::Append,
    .attention = cuda::ported::Attention,
    .all_reduce = cuda::ported::AllReduce,
    .add = cuda::ported::Add,
    .silu_mul = cuda::ported::SiluMul,
    .argmax = cuda::ported::Argmax,
};

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  return TextbookSpec("ported", model, activation, kOps);
}

}  // namespace

const EngineDefinition kEngine = {.name = "ported",
                                  .build = Build,
                                  .mutants = MutantHost::kCandidate,
                                  .backend = cuda::MakeCudaBackend,
                                  .rendezvous = cuda::NcclRendezvous};

}  // namespace parity::tiny
