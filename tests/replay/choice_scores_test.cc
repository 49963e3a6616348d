#include "gtest_parity/replay/choice_scores.h"

#include <gtest/gtest.h>

#include <functional>

namespace parity {
namespace {

// Two choices of four for each row.
Description Choosing() {
  Description side;
  side.tensors["ids"] = {
      .name = "ids", .dtype = DType::kI32, .shape = {{"rows", ""}, {"2", ""}}, .scores = "scores"};
  side.tensors["scores"] = {
      .name = "scores", .dtype = DType::kF32, .shape = {{"rows", ""}, {"4", ""}}};
  return side;
}

ChoiceScores Of(const Description& side) { return ScoresOf(side, "ids", "", {{"rows", 8}}); }

TEST(ScoresOf, ARowForEachRowOfChoices) {
  const ChoiceScores scores = Of(Choosing());
  EXPECT_EQ(scores.unscored, "");
  EXPECT_EQ(scores.tensor.name, "scores");
  EXPECT_EQ(scores.columns, 4u);
}

TEST(ScoresOf, RowsThatDoNotDivideTheChoicesAreNone) {
  Description side = Choosing();
  side.tensors["scores"].shape = {{"3", ""}, {"4", ""}};
  EXPECT_EQ(Of(side).unscored, "scores has 3 rows for 16 choices");
}

// Choices are indices into whole rows: a view is good for them only where it shows those.
TEST(ScoresOf, AViewThatCutsOrTurnsRowsHasNone) {
  const auto through = [](const std::function<void(Tensor&, View&)>& change) {
    Description side = Choosing();
    Tensor& scores = side.tensors["scores"];
    const Tensor stored = scores;
    View view{.name = "scores", .dtype = DType::kF64, .shape = scores.shape};
    change(scores, view);
    scores.shape = view.shape;
    scores.seen = std::make_shared<const Seen>(Seen{stored, view});
    return Of(side).unscored;
  };
  const std::string cut = "scores is seen through a view that cuts or turns its rows";
  EXPECT_EQ(through([](Tensor&, View&) {}), "");
  EXPECT_EQ(through([](Tensor&, View& view) { view.transpose = {1, 0}; }), cut);
  EXPECT_EQ(through([](Tensor&, View& view) { view.slice = Slice{1, {"0", ""}, {"2", ""}}; }), cut);
  EXPECT_EQ(through([](Tensor&, View& view) { view.shape = {{"rows", ""}, {"2", ""}}; }), cut);
}

}  // namespace
}  // namespace parity
