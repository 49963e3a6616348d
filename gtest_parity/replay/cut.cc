#include "gtest_parity/replay/cut.h"

#include <optional>

#include "gtest_parity/replay/span_script.h"

namespace parity {

std::string Cut::Text(const Description& side) const {
  return tensor.name + " at " + side.FindProgram(program)->ops[op].label + " of " + program;
}

std::vector<Cut> CutsOf(const Plan& plan, bool candidate) {
  const Description& side = candidate ? plan.candidate : plan.reference;
  std::vector<Cut> cuts;
  for (const Span& span : plan.spans) {
    const SpanOnSide on_side(span, side, candidate ? span.candidate : span.reference,
                             candidate ? span.candidate_writes : span.reference_writes);
    for (std::size_t i = 0; i < on_side.size(); ++i) {
      const std::optional<std::uint32_t> op = on_side.TapOf(i);
      if (on_side.tensor(i).compared && op) cuts.push_back({span.program, *op, on_side.Ref(i)});
    }
  }
  return cuts;
}

}  // namespace parity
