#include "kernels/decisions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "kernels/dispatch.h"
#include "kernels/formats.h"

namespace parity {
namespace {

// The element's score of choice `id`, NaN where it is none of those that were scored.
double ScoreOf(const DecisionScores& scores, std::uint64_t row, std::int64_t id) {
  double score = std::numeric_limits<double>::quiet_NaN();
  if (id < 0 || static_cast<std::uint64_t>(id) >= scores.columns) return score;
  const std::uint64_t index = row * scores.columns + static_cast<std::uint64_t>(id);
  VisitFloatFormat(scores.dtype, "CompareDecisions", [&]<typename Format>(Format) {
    const auto* data = static_cast<const unsigned char*>(scores.data);
    score = static_cast<double>(Format::Decode(LoadBits<Format>(data, index)));
  });
  return score;
}

// Equal infinities are 0 apart.
double MarginOf(const DecisionScores& scores, std::uint64_t row, std::int64_t reference,
                std::int64_t candidate) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (scores.data == nullptr) return infinity;
  const double best = ScoreOf(scores, row, reference), other = ScoreOf(scores, row, candidate);
  if (std::isnan(best) || std::isnan(other)) return infinity;
  return best == other ? 0 : best - other;
}

}  // namespace

void CheckDecisions(DType dtype, std::uint64_t count, const DecisionScores& scores) {
  if (IsFloat(dtype) || dtype == DType::kBytes || dtype == DType::kBool) {
    throw std::invalid_argument("CompareDecisions: choices of dtype " + std::string(NameOf(dtype)) +
                                ", expected integers");
  }
  if (scores.data == nullptr) return;
  if (!IsFloat(scores.dtype)) {
    throw std::invalid_argument("CompareDecisions: scores of dtype " +
                                std::string(NameOf(scores.dtype)) + ", expected a float");
  }
  if (scores.rows == 0 ? count != 0 : count % scores.rows != 0) {
    throw std::invalid_argument("CompareDecisions: " + std::to_string(count) + " choices and " +
                                std::to_string(scores.rows) +
                                " rows of scores, expected as many choices for each row");
  }
}

DecisionStats CompareDecisions(DType dtype, const void* reference, const void* candidate,
                               std::uint64_t count, const DecisionScores& scores) {
  CheckDecisions(dtype, count, scores);
  DecisionStats stats;
  stats.compared = count;
  const std::uint64_t per_row =
      scores.rows == 0 ? 1 : std::max<std::uint64_t>(1, count / scores.rows);
  VisitIntegerFormat(dtype, "CompareDecisions", [&]<typename Format>(Format) {
    const auto* a = static_cast<const unsigned char*>(reference);
    const auto* b = static_cast<const unsigned char*>(candidate);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto x = LoadBits<Format>(a, i), y = LoadBits<Format>(b, i);
      if (x == y) continue;
      const auto first = static_cast<std::int64_t>(Format::Decode(x));
      const auto second = static_cast<std::int64_t>(Format::Decode(y));
      stats.flips.push_back({i, first, second, MarginOf(scores, i / per_row, first, second)});
    }
  });
  return stats;
}

}  // namespace parity
