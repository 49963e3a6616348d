#include <algorithm>
#include <cmath>

#include "gtest_parity/engines/tiny/fused/lanes.h"
#include "gtest_parity/engines/tiny/routed.h"
#include "gtest_parity/engines/tiny/routed/ops.h"
#include "gtest_parity/engines/tiny/routed_reordered/ops.h"

namespace parity::tiny::routed_reordered {
namespace {

std::vector<float> LoadAll(const Operand& tensor) {
  std::vector<float> values(tensor.Elements());
  fused::Load(tensor, 0, values.size(), values.data());
  return values;
}

// Calls body(row, place among the row's choices, first local column) for what this rank holds, the
// row's best expert first.
template <typename Body>
void ForChosen(const OpArgs& args, std::uint64_t columns, std::uint64_t width, Body body) {
  const std::uint64_t rank = args.collective == nullptr ? 0 : args.collective->rank;
  const auto first = static_cast<std::int64_t>(rank * columns / width);
  const auto count = static_cast<std::int64_t>(columns / width);
  const Operand& ids = args.reads[1];
  for (std::uint64_t row = 0; row < ids.dims[0]; ++row) {
    for (std::uint64_t place = 0; place < kChosenExperts; ++place) {
      const std::int64_t local = ids.As<std::int32_t>()[row * kChosenExperts + place] - first;
      if (local < 0 || local >= count) continue;
      body(row, place, static_cast<std::uint64_t>(local) * width);
    }
  }
}

std::uint64_t WidthOf(const OpArgs& args, std::uint64_t columns) {
  const std::uint64_t ranks = args.collective == nullptr ? 1 : args.collective->rank_count;
  return columns * ranks / kExperts;
}

}  // namespace

parity_status Route(const OpArgs& args) {
  OpArgs top = args, weights = args;
  top.writes = {args.writes[0]};
  weights.reads = {args.reads[0], args.writes[0]};
  weights.writes = {args.writes[1]};
  const parity_status status = routed::TopExperts(top);
  return status == PARITY_OK ? routed::ExpertWeights(weights) : status;
}

parity_status ExpertAct(const OpArgs& args) {
  const Operand& act = args.writes[0];
  const std::uint64_t depth = args.reads[0].dims[1], columns = act.dims[1];
  const std::vector<float> x = LoadAll(args.reads[0]);
  const std::vector<float> gate = LoadAll(args.reads[2]), up = LoadAll(args.reads[3]);
  std::vector<float> out(act.Elements());
  const std::uint64_t width = WidthOf(args, columns);
  ForChosen(args, columns, width, [&](std::uint64_t row, std::uint64_t, std::uint64_t first) {
    for (std::uint64_t c = first; c < first + width; ++c) {
      const float g = fused::Dot(x.data() + row * depth, gate.data() + c * depth, depth);
      const float u = fused::Dot(x.data() + row * depth, up.data() + c * depth, depth);
      out[row * columns + c] = g / (1.0f + std::exp(-g)) * u;
    }
  });
  fused::Store(act, 0, out.size(), out.data());
  return PARITY_OK;
}

parity_status ExpertDown(const OpArgs& args) {
  const Operand& partial = args.writes[0];
  const std::uint64_t columns = args.reads[0].dims[1], outputs = partial.dims[1];
  const std::vector<float> act = LoadAll(args.reads[0]), down = LoadAll(args.reads[3]);
  std::vector<float> out(partial.Elements());
  const std::uint64_t width = WidthOf(args, columns);
  ForChosen(args, columns, width, [&](std::uint64_t row, std::uint64_t place, std::uint64_t first) {
    const float weight = args.reads[2].As<float>()[row * kChosenExperts + place];
    for (std::uint64_t o = 0; o < outputs; ++o) {
      out[row * outputs + o] += weight * fused::Dot(act.data() + row * columns + first,
                                                    down.data() + o * columns + first, width);
    }
  });
  fused::Store(partial, 0, out.size(), out.data());
  return PARITY_OK;
}

}  // namespace parity::tiny::routed_reordered
