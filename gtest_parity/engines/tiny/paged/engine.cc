#include "gtest_parity/engines/tiny/paged/paged_spec.h"
#include "gtest_parity/engines/tiny/paged/textbook_ops.h"
#include "gtest_parity/engines/tiny/plugin.h"

namespace parity::tiny {
namespace {

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  return PagedSpec(model, activation, paged::kTextbookOps);
}

}  // namespace

const EngineDefinition kEngine = {"paged", Build, MutantHost::kReference};

}  // namespace parity::tiny
