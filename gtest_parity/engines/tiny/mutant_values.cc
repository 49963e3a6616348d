// Mutants that change an op's output after the op.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "gtest_parity/engines/tiny/mutant_hooks.h"

namespace parity::tiny {
namespace {

constexpr std::int32_t kBadToken = 5000;
constexpr int kSignAndExponentBits = 9;
constexpr std::uint64_t kNanColumn = 5;

float Get(const Operand& operand, std::uint64_t index) {
  if (operand.dtype == PARITY_F32) return operand.As<float>()[index];
  return std::bit_cast<float>(std::uint32_t{operand.As<std::uint16_t>()[index]} << 16);
}

// Rounds to nearest even, keeping the top `bits` of an f32's representation.
float KeepBits(float value, int bits) {
  if (!std::isfinite(value)) return value;
  const int dropped = 32 - bits;
  const auto raw = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t half = (1u << (dropped - 1)) - 1 + ((raw >> dropped) & 1);
  return std::bit_cast<float>(((raw + half) >> dropped) << dropped);
}

void Set(const Operand& operand, std::uint64_t index, float value) {
  if (operand.dtype == PARITY_F32) {
    operand.As<float>()[index] = value;
  } else {
    const auto raw = std::bit_cast<std::uint32_t>(KeepBits(value, 16));
    operand.As<std::uint16_t>()[index] = static_cast<std::uint16_t>(raw >> 16);
  }
}

template <typename Change>
void ForEach(const Operand& operand, Change change) {
  const std::uint64_t elements = operand.Elements();
  for (std::uint64_t i = 0; i < elements; ++i) Set(operand, i, change(Get(operand, i)));
}

}  // namespace

void NegateZeros(MutantCall& call) {
  for (const auto* operands : {&call.args.writes, &call.args.updates}) {
    for (const Operand& operand : *operands) {
      ForEach(operand, [](float value) { return value == 0.0f ? -0.0f : value; });
    }
  }
}

void RoundOnceMore(MutantCall& call) {
  const std::uint32_t narrower = call.Output().dtype == PARITY_F32 ? 7 : 6;
  const int bits =
      kSignAndExponentBits + static_cast<int>(call.options.mantissa_bits.value_or(narrower));
  ForEach(call.Output(), [bits](float value) { return KeepBits(value, bits); });
}

void RoundIfTapped(MutantCall& call) {
  if (call.args.tapped) RoundOnceMore(call);
}

void MixSequences(MutantCall& call) {
  const Operand& output = call.Output();
  const std::int32_t* row_seq = call.memory.Get("row_seq").As<std::int32_t>();
  const std::uint64_t columns = output.dims.back();
  for (std::uint64_t row = 0; row < output.dims[0]; ++row) {
    if (row_seq[row] == row_seq[0]) continue;
    for (std::uint64_t i = 0; i < columns; ++i) {
      Set(output, row * columns + i, Get(output, row * columns + i) + Get(output, i) / 8);
    }
  }
}

void ScaleByFactor(MutantCall& call) {
  const float factor = static_cast<float>(call.options.factor);
  ForEach(call.Output(), [factor](float value) { return value * factor; });
}

void ScaleByNineEighths(MutantCall& call) {
  ForEach(call.Output(), [](float value) { return value * 1.125f; });
}

// Rotations add up, so that turning once more by one position is what position + 1 would have done.
void RotateOnePosition(MutantCall& call) {
  const Operand& query = call.Output();
  const std::uint64_t head_dim = call.args.model->head_dim;
  const std::uint64_t half = head_dim / 2;
  for (std::uint64_t head = 0; head < query.Elements() / head_dim; ++head) {
    for (std::uint64_t i = 0; i < half; ++i) {
      const std::uint64_t low = head * head_dim + i;
      const double angle = std::pow(call.args.model->rope_theta,
                                    -2.0 * static_cast<double>(i) / static_cast<double>(head_dim));
      const double a = Get(query, low), b = Get(query, low + half);
      Set(query, low, static_cast<float>(a * std::cos(angle) - b * std::sin(angle)));
      Set(query, low + half, static_cast<float>(b * std::cos(angle) + a * std::sin(angle)));
    }
  }
}

// Exchanging logits a > b of probabilities p_a, p_b moves KL by (p_a - p_b)(a - b).
void ExchangeBestTwo(MutantCall& call) {
  const Operand& logits = call.Output();
  const std::uint64_t columns = logits.dims[1];
  float* row = logits.As<float>() + (logits.dims[0] - 1) * columns;
  std::vector<std::uint64_t> order(columns);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::stable_sort(order.begin(), order.end(), [row](auto a, auto b) { return row[a] > row[b]; });
  const double best = row[order[0]];
  double sum = 0;
  for (std::uint64_t i = 0; i < columns; ++i) sum += std::exp(row[i] - best);
  for (std::uint64_t rank = 1; rank < columns; ++rank) {
    const double other = row[order[rank]];
    const double cost = (1 - std::exp(other - best)) / sum * (best - other);
    if (cost < call.options.at_least) continue;
    if (cost > call.options.at_most) return;
    std::swap(row[order[0]], row[order[rank]]);
    return;
  }
}

void StoreNan(MutantCall& call) {
  Set(call.Output(), kNanColumn, std::numeric_limits<float>::quiet_NaN());
}

void StoreBadToken(MutantCall& call) {
  const Operand& tokens = call.Output();
  std::fill_n(tokens.As<std::int32_t>(), tokens.Elements(), kBadToken);
}

void AddOneUlp(MutantCall& call) {
  const Operand& output = call.Output();
  const std::uint64_t columns = output.dims.back();
  const std::uint64_t rows = output.Elements() / columns;
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (output.dtype == PARITY_F32) {
      ++output.As<std::uint32_t>()[row * columns];
    } else {
      ++output.As<std::uint16_t>()[row * columns];
    }
  }
}

}  // namespace parity::tiny
