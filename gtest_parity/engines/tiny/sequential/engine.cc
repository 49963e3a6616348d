// `paged` with a place of its own in each sequence: steps can only follow one another.
#include "gtest_parity/engines/tiny/paged/textbook_ops.h"
#include "gtest_parity/engines/tiny/plugin.h"

namespace parity::tiny {
namespace {

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  return TextbookSpec("sequential", model, activation, paged::kTextbookOps);
}

}  // namespace

const EngineDefinition kEngine = {"sequential", Build, MutantHost::kCandidate, PARITY_SEQUENTIAL};

}  // namespace parity::tiny
