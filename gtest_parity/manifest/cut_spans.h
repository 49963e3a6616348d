// From the alignment of a program's two op lists to its spans.
#ifndef GTEST_PARITY_MANIFEST_CUT_SPANS_H_
#define GTEST_PARITY_MANIFEST_CUT_SPANS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest_parity/manifest/closure.h"
#include "gtest_parity/manifest/plan.h"

namespace parity {

// Two ops with the same key.
struct OpMatch {
  std::uint32_t reference = 0, candidate = 0;
  bool same = false;  // and the same implementation, on the same constants
};

// A consecutive piece of a program, on both sides.
struct Piece {
  OpRange reference, candidate;
  bool gap = false;  // one pair that is the same: not compared
  std::vector<std::string> grown_over;
};

// Pieces that follow one another without holes on either side. A pair that is not the same (with
// `every_op`: any pair) is a span of its own. A stretch without counterpart is cut at the earliest
// places where CheckBoundary lets a span end and something is compared; what cannot end within the
// stretch grows: back over spans of the same stretch, else forward over pairs, else back over
// pairs. Blocked or empty to the very end, it takes in the piece before. `matches` ascend.
std::vector<Piece> CutIntoSpans(const FlowPair& program, const std::vector<OpMatch>& matches,
                                bool every_op);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_CUT_SPANS_H_
