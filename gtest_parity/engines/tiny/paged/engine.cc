#include "gtest_parity/engines/tiny/paged/ops.h"
#include "gtest_parity/engines/tiny/plugin.h"
#include "gtest_parity/engines/tiny/textbook.h"

namespace parity::tiny {
namespace {

constexpr TextbookOps kOps = {
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
    .silu_mul = paged::SiluMul,
    .argmax = paged::Argmax,
};

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  return TextbookSpec("paged", model, activation, kOps);
}

}  // namespace

const EngineDefinition kEngine = {"paged", Build, MutantHost::kReference};

}  // namespace parity::tiny
