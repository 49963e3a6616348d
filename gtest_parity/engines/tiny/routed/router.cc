#include <cmath>

#include "gtest_parity/engines/tiny/paged/rows.h"
#include "gtest_parity/engines/tiny/routed.h"
#include "gtest_parity/engines/tiny/routed/ops.h"

namespace parity::tiny::routed {
namespace {

bool IsExpert(std::int32_t id) { return id >= 0 && id < static_cast<std::int32_t>(kExperts); }

}  // namespace

parity_status InitRouter(const OpArgs& args) {
  const Operand& weight = args.writes[0];
  std::vector<float> row(paged::Columns(weight));
  for (std::uint64_t expert = 0; expert < paged::RowCount(weight); ++expert) {
    for (std::uint64_t c = 0; c < row.size(); ++c) {
      row[c] = RouterWeight(static_cast<std::uint64_t>(args.layer), expert * row.size() + c);
    }
    paged::StoreRow(weight, expert, row.data());
  }
  return PARITY_OK;
}

parity_status TopExperts(const OpArgs& args) {
  for (std::uint64_t row = 0; row < paged::RowCount(args.reads[0]); ++row) {
    const float* scores = args.reads[0].As<float>() + row * kExperts;
    std::int32_t* ids = args.writes[0].As<std::int32_t>() + row * kChosenExperts;
    std::int32_t best = 0;
    for (std::int32_t expert = 1; expert < static_cast<std::int32_t>(kExperts); ++expert) {
      if (scores[expert] > scores[best]) best = expert;
    }
    std::int32_t second = best == 0 ? 1 : 0;
    for (std::int32_t expert = second + 1; expert < static_cast<std::int32_t>(kExperts); ++expert) {
      if (expert != best && scores[expert] > scores[second]) second = expert;
    }
    ids[0] = best;
    ids[1] = second;
  }
  return PARITY_OK;
}

parity_status ExpertWeights(const OpArgs& args) {
  for (std::uint64_t row = 0; row < paged::RowCount(args.reads[0]); ++row) {
    const float* scores = args.reads[0].As<float>() + row * kExperts;
    const std::int32_t* ids = args.reads[1].As<std::int32_t>() + row * kChosenExperts;
    float* weights = args.writes[0].As<float>() + row * kChosenExperts;
    weights[0] = weights[1] = 0;
    if (!IsExpert(ids[0]) || !IsExpert(ids[1])) continue;
    const float other = std::exp(scores[ids[1]] - scores[ids[0]]);
    weights[0] = kExpertScale / (1.0f + other);
    weights[1] = kExpertScale * other / (1.0f + other);
  }
  return PARITY_OK;
}

}  // namespace parity::tiny::routed
