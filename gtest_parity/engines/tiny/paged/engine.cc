#include "gtest_parity/engines/tiny/paged/kv/policy.h"
#include "gtest_parity/engines/tiny/paged/kv/state_file.h"
#include "gtest_parity/engines/tiny/paged/kv/store.h"
#include "gtest_parity/engines/tiny/paged/paged_spec.h"
#include "gtest_parity/engines/tiny/paged/textbook_ops.h"
#include "gtest_parity/engines/tiny/plugin.h"

namespace parity::tiny {
namespace {

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  return PagedSpec(model, activation, paged::kTextbookOps);
}

#ifdef PARITY_TINY_TOKENS
constexpr KvImplementation kRecords = {paged::MakePolicy, paged::MakeStore, RowInPages,
                                       paged::SaveState, paged::LoadState};
constexpr const KvImplementation* kKv = &kRecords;
#else
constexpr const KvImplementation* kKv = nullptr;
#endif

}  // namespace

const EngineDefinition kEngine = {
    .name = "paged", .build = Build, .mutants = MutantHost::kReference, .kv = kKv};

}  // namespace parity::tiny
