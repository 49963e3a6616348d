// Which runs are logged under which ops, and what their times come to.
#include "gtest_parity/replay/time_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::shared_ptr<const Step> StepOf(const std::string& run) {
  auto step = std::make_shared<Step>();
  step->program = "decode";
  step->run = run;
  return step;
}

// Each instruction takes 1 + its index seconds, on rank r ten times r more.
class SteadySide : public Side {
 public:
  std::vector<Results> Run(const std::vector<Script>& scripts) override {
    std::vector<Results> results;
    for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
      Results& of_rank = results.emplace_back(scripts[rank].instructions().size());
      for (std::size_t i = 0; i < of_rank.size(); ++i) {
        of_rank[i].seconds = static_cast<double>(1 + i) + 10 * static_cast<double>(rank);
      }
    }
    return results;
  }
  bool alive() const override { return true; }
  bool is_evidence() const override { return false; }
  std::string provenance() const override { return "made up"; }
  std::vector<std::string> MappedObjects() const override { return {"object"}; }
  std::string OutputTail() const override { return "tail"; }
};

TEST(TimeLog, FilesRunsUnderTheirOpsAndTheRunThatWasStaged) {
  TimeLog log;
  const std::unique_ptr<Side> side = Timed(std::make_unique<SteadySide>(), log);
  std::vector<Script> scripts(2);
  for (Script& script : scripts) {
    script.Stage(StepOf("b1/decode#0"));
    script.Run("decode", 0, 2);
    script.Run("decode", 2, 3);
    script.Run("decode", 0, 2);
    script.Stage(StepOf("b1/decode#1"));
    script.Run("decode", 0, 2);
    script.RunWhole("decode", 2);
  }
  side->Run(scripts);
  const Times& span = log.Of({"decode", 0, 2, false});
  ASSERT_EQ(span.size(), 2u);
  EXPECT_THAT(span.at("b1/decode#0"), ElementsAre(ElementsAre(2, 4), ElementsAre(12, 14)));
  EXPECT_THAT(span.at("b1/decode#1"), ElementsAre(ElementsAre(6), ElementsAre(16)));
  EXPECT_THAT(log.Of({"decode", 0, 2, true}).at("b1/decode#1")[0], ElementsAre(7));
  EXPECT_THAT(log.Of({"prefill", 0, 2, false}), IsEmpty());
  log.Clear();
  EXPECT_THAT(log.Of({"decode", 0, 2, false}), IsEmpty());
}

TEST(TimeLog, AsksTheSideThatItWraps) {
  TimeLog log;
  const std::unique_ptr<Side> side = Timed(std::make_unique<SteadySide>(), log);
  EXPECT_TRUE(side->alive());
  EXPECT_FALSE(side->is_evidence());
  EXPECT_EQ(side->provenance(), "made up");
  EXPECT_EQ(side->OutputTail(), "tail");
  EXPECT_THAT(side->MappedObjects(), ElementsAre("object"));
}

TEST(TimeFigure, IsTheSumOfMediansOnTheSlowestRank) {
  const Times times = {{"a", {{1, 5, 2}, {3, 3.5}}}, {"b", {{4}, {10, 12}}}, {"c", {{100}, {1}}}};
  const Times other = {{"a", {{1}}}, {"b", {{1}}}};
  const std::optional<TimeFigure> figure = FigureOf(times, other);
  ASSERT_TRUE(figure.has_value());
  EXPECT_DOUBLE_EQ(figure->seconds, 3.25 + 11);
  EXPECT_EQ(figure->rank, 1);
  EXPECT_THAT(figure->runs, ElementsAre("a", "b"));
  EXPECT_EQ(figure->samples, 4u);
  EXPECT_DOUBLE_EQ(figure->spread, (0.5 / 3.25 + 2.0 / 11) / 2);
}

TEST(TimeFigure, WithoutACommonRunThereIsNone) {
  EXPECT_FALSE(FigureOf({{"a", {{1}}}}, {{"b", {{1}}}}).has_value());
  EXPECT_FALSE(FigureOf({}, {}).has_value());
  EXPECT_FALSE(FigureOf({{"a", {{}}}}, {{"a", {{1}}}}).has_value());
}

TEST(Median, OfOddEvenAndNone) {
  EXPECT_EQ(Median({3, 1, 2}), 2);
  EXPECT_EQ(Median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(Median({}), 0);
}

}  // namespace
}  // namespace parity
