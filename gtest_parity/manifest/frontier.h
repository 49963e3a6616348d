// What a span exchanges with the rest of its program.
#ifndef GTEST_PARITY_MANIFEST_FRONTIER_H_
#define GTEST_PARITY_MANIFEST_FRONTIER_H_

#include "gtest_parity/manifest/closure.h"
#include "gtest_parity/manifest/plan.h"

namespace parity {

// Fills the frontier, what is not compared and the writes of a span whose ranges are set. Tensors
// come buffers first, then states, each by name.
void FillFrontier(const FlowPair& program, Span* span);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_FRONTIER_H_
