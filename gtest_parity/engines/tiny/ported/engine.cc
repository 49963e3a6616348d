#include "gtest_parity/engines/tiny/plugin.h"
#include "gtest_parity/engines/tiny/ported/ops.h"
#include "gtest_parity/engines/tiny/ported/tokens/tokenizer.h"
#include "gtest_parity/engines/tiny/textbook.h"

namespace parity::tiny {
namespace {

constexpr TextbookOps kKernels = {
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
    .silu_mul = ported::SwigluKernel,
    .argmax = ported::GreedyKernel,
};

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  return TextbookSpec("ported", model, activation, kKernels);
}

}  // namespace

#ifdef PARITY_TINY_TOKENS
constexpr MakeTokenizer kTokenizer = ported::MakePortedTokenizer;
#else
constexpr MakeTokenizer kTokenizer = nullptr;
#endif

const EngineDefinition kEngine = {"ported", Build, MutantHost::kCandidate, 0, kTokenizer};

}  // namespace parity::tiny
