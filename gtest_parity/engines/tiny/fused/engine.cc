#include "gtest_parity/engines/tiny/fused/fused_spec.h"
#include "gtest_parity/engines/tiny/fused/ops.h"
#include "gtest_parity/engines/tiny/paged/kv/policy.h"
#include "gtest_parity/engines/tiny/paged/kv/state_file.h"
#include "gtest_parity/engines/tiny/paged/kv/store.h"
#include "gtest_parity/engines/tiny/paged/paged_spec.h"
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

// A kernel swap keeps its records as the engine does whose caches it shares.
#ifdef PARITY_TINY_TOKENS
constexpr KvImplementation kRecords = {paged::MakePolicy, paged::MakeStore, RowInPages,
                                       paged::SaveState, paged::LoadState};
constexpr const KvImplementation* kKv = &kRecords;
#else
constexpr const KvImplementation* kKv = nullptr;
#endif

}  // namespace

const EngineDefinition kEngine = {
    .name = "fused", .build = Build, .mutants = MutantHost::kCandidate, .kv = kKv};

}  // namespace parity::tiny
