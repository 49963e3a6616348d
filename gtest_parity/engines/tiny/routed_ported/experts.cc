#include <cmath>
#include <vector>

#include "gtest_parity/engines/tiny/ported/storage.h"
#include "gtest_parity/engines/tiny/routed.h"
#include "gtest_parity/engines/tiny/routed_ported/ops.h"

namespace parity::tiny::routed_ported {
namespace {

using ported::Brain;
using ported::Matrix;
using ported::Single;
using ported::WithStorage;

// Sixteen interleaved sums of x[i] * weight[row, first + i], folded in halves.
float Product(const float* x, const Matrix<Brain>& weight, std::size_t row, std::size_t first,
              std::size_t depth) {
  float part[16] = {};
  for (std::size_t i = 0; i < depth; ++i) part[i % 16] += x[i] * weight.At(row, first + i);
  for (std::size_t fold = 8; fold != 0; fold /= 2) {
    for (std::size_t i = 0; i < fold; ++i) part[i] = part[i] + part[i + fold];
  }
  return part[0];
}

// Calls body(row, which of its choices, first local column, columns of an expert) for each one that
// this rank holds, lowest expert first.
template <typename Body>
void ForChosen(const OpArgs& args, std::size_t columns, Body body) {
  const std::size_t ranks = args.collective != nullptr ? args.collective->rank_count : 1;
  const std::size_t rank = args.collective != nullptr ? args.collective->rank : 0;
  const std::size_t width = columns * ranks / kExperts;
  const auto* ids = args.reads[1].As<const std::int32_t>();
  for (std::size_t row = 0; row < args.reads[1].dims[0]; ++row) {
    for (std::size_t column = 0; column < columns; column += width) {
      const auto expert = static_cast<std::int32_t>((rank * columns + column) / width);
      for (std::size_t choice = 0; choice < kChosenExperts; ++choice) {
        if (ids[row * kChosenExperts + choice] == expert) body(row, choice, column, width);
      }
    }
  }
}

}  // namespace

parity_status RouterKernel(const OpArgs& args) {
  const Matrix<Brain> weight(args.writes[0]);
  for (std::size_t i = 0; i < weight.rows * weight.columns; ++i) {
    weight.data[i] = Brain::Narrow(RouterWeight(static_cast<std::uint64_t>(args.layer), i));
  }
  return PARITY_OK;
}

parity_status TopTwoKernel(const OpArgs& args) {
  const Matrix<Single> scores(args.reads[0]);
  auto* ids = args.writes[0].As<std::int32_t>();
  for (std::size_t row = 0; row < scores.rows; ++row, ids += kChosenExperts) {
    ids[0] = ids[1] = -1;
    for (std::int32_t expert = 0; expert < static_cast<std::int32_t>(kExperts); ++expert) {
      const float score = scores.At(row, static_cast<std::size_t>(expert));
      const auto beats = [&](std::int32_t held) {
        return held < 0 || score > scores.At(row, static_cast<std::size_t>(held));
      };
      if (beats(ids[0])) {
        ids[1] = ids[0];
        ids[0] = expert;
      } else if (beats(ids[1])) {
        ids[1] = expert;
      }
    }
  }
  return PARITY_OK;
}

parity_status GatingKernel(const OpArgs& args) {
  const Matrix<Single> scores(args.reads[0]), weights(args.writes[0]);
  const auto* ids = args.reads[1].As<const std::int32_t>();
  for (std::size_t row = 0; row < scores.rows; ++row, ids += kChosenExperts) {
    const auto first = static_cast<std::size_t>(ids[0]), second = static_cast<std::size_t>(ids[1]);
    const bool known = first < kExperts && second < kExperts;
    const float ratio = known ? std::exp(scores.At(row, second) - scores.At(row, first)) : 0.0f;
    weights.Put(row, 0, known ? kExpertScale / (1.0f + ratio) : 0.0f);
    weights.Put(row, 1, known ? kExpertScale * ratio / (1.0f + ratio) : 0.0f);
  }
  return PARITY_OK;
}

parity_status ActivateKernel(const OpArgs& args) {
  const Matrix<Brain> gate(args.reads[2]), up(args.reads[3]);
  WithStorage(args.writes[0], [&](auto storage) {
    const Matrix<decltype(storage)> x(args.reads[0]), act(args.writes[0]);
    for (std::size_t i = 0; i < act.rows * act.columns; ++i) act.Put(0, i, 0.0f);
    std::vector<float> in(x.columns);
    ForChosen(args, act.columns,
              [&](std::size_t row, std::size_t, std::size_t first, std::size_t width) {
                for (std::size_t i = 0; i < x.columns; ++i) in[i] = x.At(row, i);
                for (std::size_t column = first; column < first + width; ++column) {
                  const float g = Product(in.data(), gate, column, 0, x.columns);
                  const float u = Product(in.data(), up, column, 0, x.columns);
                  act.Put(row, column, g / (1.0f + std::exp(-g)) * u);
                }
              });
  });
  return PARITY_OK;
}

parity_status CombineKernel(const OpArgs& args) {
  const Matrix<Single> weights(args.reads[2]), partial(args.writes[0]);
  const Matrix<Brain> down(args.reads[3]);
  for (std::size_t i = 0; i < partial.rows * partial.columns; ++i) partial.data[i] = 0.0f;
  WithStorage(args.reads[0], [&](auto storage) {
    const Matrix<decltype(storage)> act(args.reads[0]);
    std::vector<float> in(act.columns);
    ForChosen(args, act.columns,
              [&](std::size_t row, std::size_t choice, std::size_t first, std::size_t width) {
                for (std::size_t i = 0; i < width; ++i) in[i] = act.At(row, first + i);
                for (std::size_t o = 0; o < partial.columns; ++o) {
                  partial.data[row * partial.columns + o] +=
                      weights.At(row, choice) * Product(in.data(), down, o, first, width);
                }
              });
  });
  return PARITY_OK;
}

}  // namespace parity::tiny::routed_ported
