#include "gtest_parity/replay/choice_scores.h"

#include <functional>
#include <numeric>

namespace parity {
namespace {

std::uint64_t Product(const std::vector<std::uint64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::uint64_t{1}, std::multiplies<>());
}

// Whether rows of scores are still rows of scores: choices are indices into them.
bool ShowsWholeRows(const Tensor& scores) {
  if (scores.seen == nullptr) return true;
  const std::optional<View>& view = scores.seen->view;
  return view && !view->slice && view->transpose.empty() &&
         view->shape.size() == scores.seen->stored.shape.size() && !view->shape.empty() &&
         view->shape.back().Text() == scores.seen->stored.shape.back().Text();
}

}  // namespace

ChoiceScores ScoresOf(const Description& reference, const std::string& decision,
                      const std::string& unscored, const Vars& vars) {
  if (!unscored.empty()) return {{}, 0, unscored};
  const Tensor& scores = reference.tensors.at(reference.tensors.at(decision).scores);
  if (!ShowsWholeRows(scores)) {
    return {{}, 0, scores.name + " is seen through a view that cuts or turns its rows"};
  }
  const std::vector<std::uint64_t> shape = scores.Shape(vars);
  const std::uint64_t choices = Product(reference.tensors.at(decision).Shape(vars));
  const std::uint64_t rows = shape.empty() ? 0 : Product(shape) / shape.back();
  if (rows == 0 || choices % rows != 0) {
    return {{},
            0,
            scores.name + " has " + std::to_string(rows) + " rows for " + std::to_string(choices) +
                " choices"};
  }
  return {{scores.kind, scores.name, scores.dtype}, static_cast<std::uint32_t>(shape.back()), ""};
}

}  // namespace parity
