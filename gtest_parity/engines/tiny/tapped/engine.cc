// `paged` behind whole programs: what lies between two ops is seen by taps alone.
#include "gtest_parity/engines/tiny/paged/textbook_ops.h"
#include "gtest_parity/engines/tiny/plugin.h"

namespace parity::tiny {
namespace {

EngineSpec Build(const ModelShape& model, parity_dtype activation) {
  return TextbookSpec("tapped", model, activation, paged::kTextbookOps);
}

}  // namespace

const EngineDefinition kEngine = {"tapped", Build, MutantHost::kCandidate, PARITY_TAP_ONLY};

}  // namespace parity::tiny
