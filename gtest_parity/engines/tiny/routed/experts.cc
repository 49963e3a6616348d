#include <cmath>

#include "gtest_parity/engines/tiny/paged/dot.h"
#include "gtest_parity/engines/tiny/paged/rows.h"
#include "gtest_parity/engines/tiny/routed.h"
#include "gtest_parity/engines/tiny/routed/ops.h"

namespace parity::tiny::routed {
namespace {

// The experts of this rank: columns [i * width, (i + 1) * width) are those of `first` + i.
struct LocalExperts {
  std::uint64_t first, count, width;
  LocalExperts(const OpArgs& args, std::uint64_t columns) {
    const std::uint64_t ranks = args.collective == nullptr ? 1 : args.collective->rank_count;
    count = kExperts / ranks;
    first = args.collective == nullptr ? 0 : args.collective->rank * count;
    width = columns / count;
  }
};

// The place of `expert` among a row's chosen ones; kChosenExperts where it is none of them.
std::uint64_t PlaceOf(const Operand& ids, std::uint64_t row, std::uint64_t expert) {
  const std::int32_t* chosen = ids.As<std::int32_t>() + row * kChosenExperts;
  std::uint64_t place = 0;
  while (place < kChosenExperts && chosen[place] != static_cast<std::int32_t>(expert)) ++place;
  return place;
}

}  // namespace

parity_status ExpertAct(const OpArgs& args) {
  const Operand &ids = args.reads[1], &act = args.writes[0];
  const std::uint64_t depth = paged::Columns(args.reads[0]);
  const LocalExperts experts(args, paged::Columns(act));
  const std::vector<float> x = paged::LoadAll(args.reads[0]);
  const std::vector<float> gate = paged::LoadAll(args.reads[2]), up = paged::LoadAll(args.reads[3]);
  std::vector<float> out(paged::Columns(act));
  for (std::uint64_t row = 0; row < paged::RowCount(act); ++row) {
    for (std::uint64_t i = 0; i < experts.count; ++i) {
      const bool chosen = PlaceOf(ids, row, experts.first + i) < kChosenExperts;
      for (std::uint64_t c = i * experts.width; c < (i + 1) * experts.width; ++c) {
        out[c] = 0;
        if (!chosen) continue;
        const float* from = x.data() + row * depth;
        const float g = paged::Dot(from, gate.data() + c * depth, depth, args.lane_order);
        const float u = paged::Dot(from, up.data() + c * depth, depth, args.lane_order);
        out[c] = g / (1.0f + std::exp(-g)) * u;
      }
    }
    paged::StoreRow(act, row, out.data());
  }
  return PARITY_OK;
}

parity_status ExpertDown(const OpArgs& args) {
  const Operand &ids = args.reads[1], &weights = args.reads[2], &partial = args.writes[0];
  const std::uint64_t columns = paged::Columns(args.reads[0]);
  const LocalExperts experts(args, columns);
  const std::vector<float> act = paged::LoadAll(args.reads[0]);
  const std::vector<float> down = paged::LoadAll(args.reads[3]);
  std::vector<float> out(paged::Columns(partial));
  for (std::uint64_t row = 0; row < paged::RowCount(partial); ++row) {
    std::fill(out.begin(), out.end(), 0.0f);
    for (std::uint64_t i = 0; i < experts.count; ++i) {
      const std::uint64_t place = PlaceOf(ids, row, experts.first + i);
      if (place == kChosenExperts) continue;
      const float weight = weights.As<float>()[row * kChosenExperts + place];
      const std::uint64_t begin = i * experts.width;
      for (std::uint64_t o = 0; o < out.size(); ++o) {
        out[o] +=
            weight * paged::Dot(act.data() + row * columns + begin,
                                down.data() + o * columns + begin, experts.width, args.lane_order);
      }
    }
    paged::StoreRow(partial, row, out.data());
  }
  return PARITY_OK;
}

}  // namespace parity::tiny::routed
