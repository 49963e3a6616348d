#include "gtest_parity/engines/tiny/paged/paged_spec.h"
#include "gtest_parity/engines/tiny/plugin.h"
#include "gtest_parity/engines/tiny/ported/kv/prefix_policy.h"
#include "gtest_parity/engines/tiny/ported/kv/record_store.h"
#include "gtest_parity/engines/tiny/ported/kv/state_file.h"
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

#ifdef PARITY_TINY_TOKENS
constexpr MakeTokenizer kTokenizer = ported::MakePortedTokenizer;
constexpr KvImplementation kRecords = {ported::MakePolicy, ported::MakeStore, RowInPages,
                                       ported::SaveState, ported::LoadState};
constexpr const KvImplementation* kKv = &kRecords;
#else
constexpr MakeTokenizer kTokenizer = nullptr;
constexpr const KvImplementation* kKv = nullptr;
#endif

}  // namespace

const EngineDefinition kEngine = {.name = "ported",
                                  .build = Build,
                                  .mutants = MutantHost::kCandidate,
                                  .tokenizer = kTokenizer,
                                  .kv = kKv};

}  // namespace parity::tiny
