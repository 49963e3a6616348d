// `paged` as engines with an evaluation callback are: whole programs, step after step.
#include "gtest_parity/engines/tiny/paged/textbook_ops.h"
#include "gtest_parity/engines/tiny/plugin.h"

namespace parity::tiny {
namespace {

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  return TextbookSpec("streamed", model, activation, paged::kTextbookOps);
}

}  // namespace

const EngineDefinition kEngine = {"streamed", Build, MutantHost::kCandidate,
                                  PARITY_SEQUENTIAL | PARITY_TAP_ONLY};

}  // namespace parity::tiny
